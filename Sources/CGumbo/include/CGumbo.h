#ifndef SWITCHBOARD_CGUMBO_H
#define SWITCHBOARD_CGUMBO_H

#include <gumbo.h>
#include <stddef.h>

/// A parsed document with all the memory that belongs to it.
typedef struct SwitchboardHTML SwitchboardHTML;

/// Parses text; `text` must stay where it is as long as the document is used.
///
/// Returns NULL where the parser is not on this machine, and where the document would take more than `budget` bytes or too much
/// time: misnested markup can make a tree that is quadratic in the text, each attribute of a tag is compared with all before
/// it, and the parser has no limit of its own.
SwitchboardHTML *switchboard_html_parse(const char *text, size_t length, size_t budget);

/// The name of a tag that the parser knows; empty for others. For documents that were parsed.
const char *switchboard_html_tag_name(GumboTag tag);

/// The attribute with this name, in whatever case, or NULL. For documents that were parsed.
const GumboAttribute *switchboard_html_attribute(const GumboVector *attributes, const char *name);

/// The root element of the document.
const GumboNode *switchboard_html_root(const SwitchboardHTML *document);

/// Gives back the memory, without walking the tree: its depth costs no stack.
void switchboard_html_free(SwitchboardHTML *document);

#endif
