#include "lib/mem.h"
#include "lib/options.h"
#include "pattern.h"

struct pattern *
pattern_make(const char *option, const char *value)
{
	struct pattern *pattern;
	char reason[256];
	int error;

	if (value == NULL)
		return NULL;
	pattern = mem_array(1, sizeof(*pattern));
	error = regcomp(&pattern->regex, value, REG_EXTENDED | REG_NOSUB);
	if (error != 0) {
		regerror(error, &pattern->regex, reason, sizeof(reason));
		options_reject("option --%s: \"%s\": %s", option, value,
		    reason);
	}
	return pattern;
}

bool
pattern_finds(struct pattern *pattern, struct str name)
{
	pattern->name.len = 0;
	text_add(&pattern->name, name);
	text_add_char(&pattern->name, '\0');
	return regexec(&pattern->regex, pattern->name.data, 0, NULL, 0) == 0;
}
