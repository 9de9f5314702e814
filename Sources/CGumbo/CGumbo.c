#include "CGumbo.h"

#include <setjmp.h>
#include <stdbool.h>
#include <stdlib.h>

typedef struct Block {
  struct Block *next;
  size_t size;
  size_t used;
} Block;

struct SwitchboardHTML {
  Block *blocks;
  size_t left;
  const GumboOutput *output;
  jmp_buf overflow;
};

enum { alignment = 16, block_size = 64 * 1024 };

// The parser cannot cope with a failed allocation, so that one leaves it by a jump. All it holds is memory from here.
static void *allocate(void *userdata, size_t size) {
  SwitchboardHTML *document = userdata;
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
  SwitchboardHTML *document = calloc(1, sizeof(SwitchboardHTML));
  if (!document) return NULL;
  document->left = budget;
  GumboOptions options = kGumboDefaultOptions;
  options.allocator = allocate;
  options.deallocator = deallocate;
  options.userdata = document;
  options.max_errors = 0;
  if (setjmp(document->overflow)) {
    switchboard_html_free(document);
    return NULL;
  }
  document->output = gumbo_parse_with_options(&options, text, length);
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
