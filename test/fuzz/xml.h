/*
 * xml: a strict reader of XML 1.0 in UTF-8, as far as a picture may use it: no
 * document types and no processing instructions, plain names, and "xlink" as
 * the only prefix, where it is declared.
 */
#ifndef XML_H
#define XML_H

#include <stdint.h>

#include "fuzz.h"

/* Slices of the document, as written. */
struct xml_attribute {
	struct str name, value;
};

struct xml_node {
	struct str name;
	struct str text;		/* up to the first tag in it */
	uint32_t parent;		/* 0 for the root, too */
	size_t first, count;		/* of its attributes */
};

struct xml {
	struct xml_node *nodes;		/* in the order of their tags */
	struct xml_attribute *attributes;
	size_t count, room, attribute_count, attribute_room;
	bool has_xlink;
};

/* Reads a document, and requires that it is well-formed. */
void xml_read(struct xml *xml, struct str document);

/* Returns the value of an attribute; its data is NULL if the node lacks it. */
struct str xml_value(const struct xml *xml, const struct xml_node *node,
    struct str name);

#endif
