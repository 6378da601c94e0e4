/*
 * xml: what there is between the brackets of XML, '<frame id="11"
 * name="a&lt;b&gt;"/>'.
 */
#ifndef XML_H
#define XML_H

#include "lib/str.h"
#include "lib/text.h"

/*
 * Returns the index of the '>' of a tag, which is not in a value; the text's
 * length if it has none yet.  The text begins with the tag.
 */
size_t xml_tag_end(struct str text);

/*
 * Cuts the name off a tag without its '<', "frame" or "/frame", and returns it;
 * it lives as long as the tag.
 */
struct str xml_cut_name(struct str *tag);

/*
 * Finds the value of an attribute in what follows a tag's name; it is as it is
 * written, and lives as long as the tag.  False if there is none.
 */
bool xml_find_attribute(struct str tag, struct str name, struct str *value);

/* Adds a value as what it says: "a&lt;b&gt;" is a<b>. */
void xml_unescape(struct text *text, struct str value);

#endif
