#include "ranges.h"
#include "roots.h"

/* Reads the attributes, of which some count from others behind them. */
static void
read_root(struct entry *root, struct spans *spans, uint32_t number)
{
	struct units *units = root->units;
	struct unit *unit = root->unit;
	struct form_value value, dwo = { 0 }, folder = { 0 };
	struct ranges ranges = { 0 };
	uint16_t name;

	while (entry_next(root, &name, &value)) {
		ranges_note(&ranges, name, &value);
		switch (name) {
		case AT_STMT_LIST:
			unit->lines = value.number;
			break;
		case AT_STR_OFFSETS_BASE:
			unit->str_offsets = value.number;
			break;
		case AT_ADDR_BASE:
		case AT_GNU_ADDR_BASE:
			unit->addresses = value.number;
			break;
		case AT_RNGLISTS_BASE:
			unit->rnglists = value.number;
			break;
		case AT_DWO_NAME:
		case AT_GNU_DWO_NAME:
			dwo = value;
			break;
		case AT_COMP_DIR:
			folder = value;
			break;
		case AT_GNU_RANGES_BASE:
			unit->skeleton.ranges = value.number;
			break;
		case AT_GNU_DWO_ID:
			unit->id = value.number;
			unit->has_id = true;
			break;
		}
	}
	unit->skeleton.dwo = units_text(units, unit, &dwo);
	unit->skeleton.folder = units_text(units, unit, &folder);
	ranges_low(&ranges, units, unit, &unit->low_pc);
	ranges_add(&ranges, units, unit, spans, number);
}

void
roots_read(struct units *units, struct spans *spans)
{
	struct abbrevs own;
	struct entry root;
	size_t i;

	for (i = 0; i < units->count && i < SPANS_NONE; i++) {
		if (entry_begin_root(&root, units, &units->list[i], &own))
			read_root(&root, spans, (uint32_t)i);
		abbrevs_free(&own);
	}
}
