#include "collapse.h"

int
main(int argc, char **argv)
{
	(void)argc;
	return collapse(&collapser, argv);
}
