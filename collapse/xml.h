/* xml: takes tags of XML apart: <frame id="11" name="a&lt;b&gt;"/>. */
#ifndef COLLAPSE_XML_H
#define COLLAPSE_XML_H

#include "lib/text.h"

/*
 * Returns the index of the '>' that ends the tag at the start of a text; the
 * text's length if there is none yet.
 */
size_t xml_tag_end(struct str text);

/* Cuts the name off a tag without its '<', "frame" or "/frame". */
struct str xml_cut_name(struct str *tag);

/* Finds and unescapes an attribute's value; false if there is none. */
bool xml_attribute(struct str tag, struct str name, struct str *value);

/* Adds a value without its escapes: "a&lt;b&gt;" is a<b>. */
void xml_add_text(struct text *text, struct str value);

#endif
