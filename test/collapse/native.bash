# Loaded by the suites of formats whose addresses are looked up in programs.

# make_shop: compiles root/opt/shop, whose main calls total, into which price was
# inlined.  $total and $main are addresses in price and in main, after its call;
# $start is where the program begins, $id its build id.
make_shop() {
	command -v "${CC:-cc}" > /dev/null || skip 'install gcc'
	command -v addr2line > /dev/null || skip 'install binutils'
	needs_64_bits
	cat > shop.c <<-'END'
	int prices[4];
	static inline __attribute__((always_inline)) int price(int i) {
		return prices[i & 3] / (i | 1);
	}
	__attribute__((noinline)) int total(int n) {
		return price(n) * 3;
	}
	int main(int argc, char **argv) {
		(void)argv;
		return total(argc) != 0;
	}
	END
	mkdir -p root/opt
	"${CC:-cc}" -g -O1 -fno-pie -no-pie -Wl,--build-id=sha1 \
		-o root/opt/shop shop.c
	start=$(readelf -lW root/opt/shop |
		awk '$1 == "LOAD" && !count++ { print $3 }')
	id=$(readelf -n root/opt/shop | sed -n 's/.*Build ID: //p')
	main=$(nm root/opt/shop | sed -n 's/ T main$//p')
	main=$((0x$main + 5))
	total=$(nm root/opt/shop | sed -n 's/ T total$//p')
	# the address of the division, which addr2line has both functions for
	total=$(for ((at = 0x$total; at < 0x$total + 40; at++)); do
		printf '%x\n' $at
	done | addr2line -a -f -i -e root/opt/shop | awk '
		name && $0 == "price" && !found { found = at }
		{ name = /^0x/; if (name) at = $0 }
		END { print found }')
	total=$((total))
}
