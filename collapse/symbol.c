#include "fold/function.h"
#include "symbol.h"
#include "symbols/demangle/demangle.h"

void
symbol_add_name(struct text *text, struct str symbol)
{
	struct function_parts parts = function_parts(symbol);
	struct str part;

	if (rust_add_path(text, str_take(symbol, str_search(symbol,
	    STR(" (.llvm.")))))
		return;
	if (str_starts(symbol, STR("-[")) || str_starts(symbol, STR("+[")))
		text_add(text, symbol);
	else
		while (function_next_part(&parts, &part))
			text_add(text, part);
}
