/*
 * folded2speedscope: writes folded stacks as JSON, where frames are numbers:
 *
 *	main;parse;read 12	"frames": [{"name": "main"}, ...]
 *	main 4			"samples": [[0, 1, 2], [0]], "weights": [12, 4]
 *
 * or, where their order is that of time, frames that are opened and closed:
 *
 *	{"type": "O", "frame": 2, "at": 0}, {"type": "C", "frame": 2, "at": 12}
 */
#include <stdio.h>
#include <stdlib.h>

#include "fold/stacks.h"
#include "lib/json.h"
#include "lib/options.h"
#include "lib/output.h"
#include "report/tracks.h"

static const char *title = "";
static struct tracks tracks = { .factor = 1 };

static struct text json;

static void
add(const char *text)
{
	text_add(&json, str_from(text));
}

static void
add_amount(struct amount amount)
{
	amount_write(&json, amount, tracks.factor);
}

/* Lists the names of a stack's frames, the innermost first. */
static void
find_path(struct stack *path, uint32_t stack)
{
	const struct stack_row *rows = tracks.stacks.rows;

	path->depth = 0;
	for (; stack != 0; stack = rows[stack].caller)
		stack_push(path, rows[stack].name);
}

static void
add_samples(const struct track *track, int which)
{
	struct stack path = { 0 };
	size_t i, j;

	add(",\n\"samples\":[");
	for (i = 0; i < track->count; i++) {
		add(i > 0 ? ",\n[" : "[");
		find_path(&path, track->samples[i].stack);
		for (j = path.depth; j > 0; j--) {
			text_add_number(&json, path.frames[j - 1]);
			if (j > 1)
				text_add_char(&json, ',');
		}
		text_add_char(&json, ']');
		output_drain(&json, stdout);
	}
	add("],\n\"weights\":[");
	for (i = 0; i < track->count; i++) {
		if (i > 0)
			text_add_char(&json, ',');
		add_amount(track->samples[i].counts[which]);
		output_drain(&json, stdout);
	}
	text_add_char(&json, ']');
	free(path.frames);
}

static void
add_event(char type, uint32_t frame, struct amount at, bool *is_first)
{
	if (!*is_first)
		add(",\n");
	*is_first = false;
	add("{\"type\":\"");
	text_add_char(&json, type);
	add("\",\"frame\":");
	text_add_number(&json, frame);
	add(",\"at\":");
	add_amount(at);
	text_add_char(&json, '}');
	output_drain(&json, stdout);
}

/* Closes the frames of one path and opens the next path's, at a time. */
static void
change_path(const struct stack *from, const struct stack *to,
    struct amount at, bool *is_first)
{
	size_t old = from->depth, new = to->depth, i;

	/* outer frames that both have stay open */
	for (; old > 0 && new > 0 &&
	    from->frames[old - 1] == to->frames[new - 1]; old--)
		new--;
	for (i = 0; i < old; i++)
		add_event('C', from->frames[i], at, is_first);
	for (; new > 0; new--)
		add_event('O', to->frames[new - 1], at, is_first);
}

static void
add_events(const struct track *track, int which)
{
	struct stack open = { 0 }, path = { 0 }, last;
	struct amount at = { 0, 0 };
	bool is_first = true;
	size_t i;

	add(",\n\"events\":[");
	for (i = 0; i < track->count; i++) {
		find_path(&path, track->samples[i].stack);
		change_path(&open, &path, at, &is_first);
		amount_add(&at, track->samples[i].counts[which]);
		last = open;
		open = path;
		path = last;
	}
	path.depth = 0;
	change_path(&open, &path, at, &is_first);
	text_add_char(&json, ']');
	free(open.frames);
	free(path.frames);
}

/* Adds a track, "make-41/41 (before)", or less if there is one of either. */
static void
add_track(const struct track *track, int which)
{
	const struct track_unit *unit = tracks_unit(&tracks);
	const char *side = which == BEFORE ? "before" : "after";
	struct text name = { 0 };

	add("{\"type\":");
	add(tracks.in_order ? "\"evented\"" : "\"sampled\"");
	add(",\"name\":");
	text_add(&name, track->name);
	if (tracks.have_two && tracks.by_thread)
		text_add_format(&name, " (%s)", side);
	else if (tracks.have_two)
		text_add(&name, str_from(side));
	else if (!tracks.by_thread)
		text_add(&name, str_from(title[0] != '\0' ? title : "all"));
	json_add_string(&json, text_str(&name));
	free(name.data);
	add(",\"unit\":\"");
	add(unit != NULL ? unit->whole_name : "none");
	add("\",\"startValue\":0,\"endValue\":");
	add_amount(track->sums[which]);
	if (tracks.in_order)
		add_events(track, which);
	else
		add_samples(track, which);
	text_add_char(&json, '}');
}

static void
write_file(void)
{
	const struct track *track = tracks.list;
	const struct table *names = &tracks.stacks.names;
	uint32_t i;
	int which;

	add("{\"$schema\":"
	    "\"https://www.speedscope.app/file-format-schema.json\",\n"
	    "\"exporter\":\"folded2speedscope\",\n");
	if (title[0] != '\0') {
		add("\"name\":");
		json_add_string(&json, str_from(title));
		add(",\n");
	}
	if (tracks.have_two)
		add("\"activeProfileIndex\":1,\n");
	add("\"shared\":{\"frames\":[");
	for (i = 0; i < names->count; i++) {
		add(i > 0 ? ",\n{\"name\":" : "{\"name\":");
		json_add_string(&json, names->keys[i]);
		text_add_char(&json, '}');
		output_drain(&json, stdout);
	}
	add("]},\n\"profiles\":[");
	for (; track < tracks.list + tracks.count; track++)
		for (which = tracks_first(&tracks); which <= AFTER; which++) {
			add(track == tracks.list && which ==
			    tracks_first(&tracks) ? "\n" : ",\n");
			add_track(track, which);
		}
	add("\n]}\n");
	output_flush(&json, stdout);
}

static const struct option options[] = {
	{ "title", OPTION_TEXT, &title, "TEXT",
	    "the name of the profile (default: that of its file)" },
	TRACKS_OPTIONS(tracks),
	TRACKS_IN_ORDER(tracks),
	{ NULL, OPTION_END, NULL, NULL, NULL }
};

static const struct usage usage = {
	"[option ...] [file ...] > out.speedscope.json", NULL, options
};

int
main(int argc, char **argv)
{
	(void)argc;
	return tracks_main(&tracks, &usage, argv, write_file);
}
