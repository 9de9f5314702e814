#include "CGumbo.h"

#include <dlfcn.h>
#include <setjmp.h>
#include <stdbool.h>
#include <stdlib.h>

// Opened with the first document: what shows no HTML would pay for it at each start.
static struct {
  __typeof__(&gumbo_parse_with_options) parse;
  __typeof__(&gumbo_normalized_tagname) tag_name;
  __typeof__(&gumbo_get_attribute) attribute;
  const GumboOptions *options;
} lib;

static bool open_library(void) {
  static const char *const names[] = {"libgumbo.so.1", "libgumbo.so.2", "libgumbo.so.3", "libgumbo.so"};
  if (lib.parse) return true;
  void *handle = NULL;
  for (size_t i = 0; i < sizeof names / sizeof *names && !handle; i++) handle = dlopen(names[i], RTLD_NOW | RTLD_LOCAL);
  if (!handle) return false;
  lib.tag_name = (__typeof__(lib.tag_name))dlsym(handle, "gumbo_normalized_tagname");
  lib.attribute = (__typeof__(lib.attribute))dlsym(handle, "gumbo_get_attribute");
  lib.options = dlsym(handle, "kGumboDefaultOptions");
  __typeof__(lib.parse) parse = (__typeof__(parse))dlsym(handle, "gumbo_parse_with_options");
  if (!lib.tag_name || !lib.attribute || !lib.options) return false;
  lib.parse = parse;
  return parse != NULL;
}

typedef struct Block {
  struct Block *next;
  size_t size;
  size_t used;
} Block;

struct SwitchboardHTML {
  Block *blocks;
  size_t left;
  // The attributes of the tag that is read, and how many the parser has compared so far: each new one with all before it.
  size_t attributes, compared;
  const GumboOutput *output;
  jmp_buf overflow;
};

enum { alignment = 16, block_size = 64 * 1024, most_compared = 20 * 1000 * 1000 };

// The parser cannot cope with a failed allocation, so that one leaves it by a jump. All it holds is memory from here.
static void *allocate(void *userdata, size_t size) {
  SwitchboardHTML *document = userdata;
  // Each attribute takes memory, one that already exists too; a node ends the tag.
  if (size == sizeof(GumboNode)) document->attributes = 0;
  if (size == sizeof(GumboAttribute)) document->attributes++;
  document->compared += document->attributes;
  if (document->compared > most_compared) longjmp(document->overflow, 1);
  if (size > document->left) longjmp(document->overflow, 1);
  size = (size + alignment - 1) & ~(size_t)(alignment - 1);
  Block *block = document->blocks;
  if (!block || block->size - block->used < size) {
    size_t header = (sizeof(Block) + alignment - 1) & ~(size_t)(alignment - 1);
    size_t whole = header + size > block_size ? header + size : block_size;
    if (whole > document->left) longjmp(document->overflow, 1);
    block = malloc(whole);
    if (!block) longjmp(document->overflow, 1);
    document->left -= whole;
    block->next = document->blocks;
    block->size = whole;
    block->used = header;
    document->blocks = block;
  }
  void *place = (char *)block + block->used;
  block->used += size;
  return place;
}

static void deallocate(void *userdata, void *place) {
  (void)userdata;
  (void)place;
}

SwitchboardHTML *switchboard_html_parse(const char *text, size_t length, size_t budget) {
  if (!open_library()) return NULL;
  SwitchboardHTML *document = calloc(1, sizeof(SwitchboardHTML));
  if (!document) return NULL;
  document->left = budget;
  GumboOptions options = *lib.options;
  options.allocator = allocate;
  options.deallocator = deallocate;
  options.userdata = document;
  options.max_errors = 0;
  if (setjmp(document->overflow)) {
    switchboard_html_free(document);
    return NULL;
  }
  document->output = lib.parse(&options, text, length);
  return document;
}

const GumboNode *switchboard_html_root(const SwitchboardHTML *document) { return document->output->root; }

void switchboard_html_free(SwitchboardHTML *document) {
  Block *block = document->blocks;
  while (block) {
    Block *next = block->next;
    free(block);
    block = next;
  }
  free(document);
}

const char *switchboard_html_tag_name(GumboTag tag) { return lib.tag_name(tag); }

const GumboAttribute *switchboard_html_attribute(const GumboVector *attributes, const char *name) {
  return lib.attribute(attributes, name);
}
