#include "../lib/message.h"
#include "perfile.h"

void
per_file_init(struct per_file *files, const struct file_counts *all)
{
	*files = (struct per_file){ .all = all };
	table_init(&files->names);
}

static void
add(struct per_file *files, struct str name, struct file_counts counts)
{
	uint32_t known = files->names.count;
	uint32_t number = table_add(&files->names, name);

	files->counts = mem_grow(files->counts, &files->room,
	    files->names.count, sizeof(*files->counts));
	if (number == known)
		files->counts[number] = (struct file_counts){ 0, 0 };
	files->counts[number].samples += counts.samples;
	files->counts[number].others += counts.others;
}

void
per_file_begin(struct per_file *files, const char *name)
{
	struct file_counts *before = &files->before;

	if (files->name != NULL)
		add(files, str_from(files->name), (struct file_counts){
		    files->all->samples - before->samples,
		    files->all->others - before->others });
	*before = *files->all;
	files->name = name;
}

void
per_file_merge(struct per_file *files, const struct per_file *from)
{
	uint32_t i;

	for (i = 0; i < from->names.count; i++)
		add(files, from->names.keys[i], from->counts[i]);
}

bool
per_file_report(const struct per_file *files)
{
	const struct file_counts *counts;
	bool found = false;
	uint32_t i;

	for (i = 0; i < files->names.count; i++) {
		counts = &files->counts[i];
		if (counts->samples > 0 || counts->others == 0)
			continue;
		message_warn("%.*s: its samples are of other events, and do "
		    "not count: %lu", (int)files->names.keys[i].len,
		    files->names.keys[i].data, (unsigned long)counts->others);
		found = true;
	}
	return found;
}
