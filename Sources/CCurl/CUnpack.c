#include <dlfcn.h>
#include <stdlib.h>
#include <zlib.h>

#include "CCurl.h"

// Decompresses bodies with the libraries that libcurl itself uses, but reads all members of a gzip body, and checks a
// limit as it goes.

typedef struct {
  const void *bytes;
  size_t size, used;
} zstd_input;
typedef struct {
  void *bytes;
  size_t size, used;
} zstd_output;

static struct {
  void *(*brotli_create)(void *, void *, void *);
  int (*brotli_run)(void *, size_t *, const uint8_t **, size_t *, uint8_t **, size_t *);
  void (*brotli_free)(void *);
  void *(*zstd_create)(void);
  size_t (*zstd_run)(void *, zstd_output *, zstd_input *);
  unsigned (*zstd_failed)(size_t);
  size_t (*zstd_free)(void *);
} lib;

/// Finds the library that libcurl has loaded.
static void *beside(const char *name) { return dlopen(name, RTLD_NOW | RTLD_LOCAL | RTLD_NOLOAD); }

#define FIND(member, name) (lib.member = (__typeof__(lib.member))dlsym(handle, name))

static bool find_brotli(void) {
  if (lib.brotli_free) return true;
  void *handle = beside("libbrotlidec.so.1");
  return handle && FIND(brotli_create, "BrotliDecoderCreateInstance") &&
         FIND(brotli_run, "BrotliDecoderDecompressStream") && FIND(brotli_free, "BrotliDecoderDestroyInstance");
}

static bool find_zstd(void) {
  if (lib.zstd_free) return true;
  void *handle = beside("libzstd.so.1");
  return handle && FIND(zstd_create, "ZSTD_createDStream") && FIND(zstd_run, "ZSTD_decompressStream") &&
         FIND(zstd_failed, "ZSTD_isError") && FIND(zstd_free, "ZSTD_freeDStream");
}

struct cc_unpacker {
  cc_packing packing;
  /// Between two members, or at the end: the data so far is complete.
  bool is_whole;
  bool has_begun;
  /// Only zeros follow: some programs pad with them.
  bool is_padding;
  z_stream zlib;
  void *other;
};

bool cc_unpacks(cc_packing packing) {
  switch (packing) {
    case CC_BROTLI: return find_brotli();
    case CC_ZSTD: return find_zstd();
    default: return true;
  }
}

cc_unpacker *cc_unpack(cc_packing packing) {
  cc_unpacker *unpacker = cc_unpacks(packing) ? calloc(1, sizeof *unpacker) : NULL;
  if (!unpacker) return NULL;
  unpacker->packing = packing;
  unpacker->is_whole = true;
  if (packing == CC_BROTLI) unpacker->other = lib.brotli_create(NULL, NULL, NULL);
  if (packing == CC_ZSTD) unpacker->other = lib.zstd_create();
  if ((packing == CC_BROTLI || packing == CC_ZSTD) && !unpacker->other) {
    free(unpacker);
    return NULL;
  }
  return unpacker;
}

/// Begins a member: gzip with its header; deflate in either format, which the first byte distinguishes.
static bool begin(cc_unpacker *u, uint8_t first) {
  enum { window = 15, gzip = 16 };
  if (u->has_begun) return u->packing == CC_GZIP && inflateReset(&u->zlib) == Z_OK;
  bool is_zlib = (first & 0x0F) == Z_DEFLATED && first >> 4 <= 7;
  int bits = u->packing == CC_GZIP ? window + gzip : is_zlib ? window : -window;
  return u->has_begun = inflateInit2(&u->zlib, bits) == Z_OK;
}

static long inflate_some(cc_unpacker *u, const uint8_t **input, size_t *count, uint8_t *output, size_t capacity) {
  size_t written = 0;
  while (*count > 0 || !u->is_whole) {
    if (u->is_padding) {
      for (; *count > 0; (*input)++, (*count)--) {
        if (**input != 0) return -1;
      }
      break;
    }
    if (u->is_whole) {
      if (u->has_begun && **input == 0) {
        u->is_padding = true;
        continue;
      }
      if (!begin(u, **input)) return -1;
      u->is_whole = false;
    }
    uInt given = *count > 1 << 30 ? 1 << 30 : (uInt)*count, room = (uInt)(capacity - written);
    u->zlib.next_in = (Bytef *)*input;
    u->zlib.avail_in = given;
    u->zlib.next_out = output + written;
    u->zlib.avail_out = room;
    int result = inflate(&u->zlib, Z_NO_FLUSH);
    *input += given - u->zlib.avail_in;
    *count -= given - u->zlib.avail_in;
    written += room - u->zlib.avail_out;
    if (result == Z_STREAM_END) {
      u->is_whole = true;
    } else if (result != Z_OK && result != Z_BUF_ERROR) {
      return -1;
    }
    if (written == capacity || (*count == 0 && u->zlib.avail_out > 0)) break;
  }
  return (long)written;
}

static long brotli_some(cc_unpacker *u, const uint8_t **input, size_t *count, uint8_t *output, size_t capacity) {
  if (u->has_begun && u->is_whole) return *count == 0 ? 0 : -1;
  size_t room = capacity;
  int result = lib.brotli_run(u->other, count, input, &room, &output, NULL);
  u->has_begun = true;
  u->is_whole = result == 1;
  if (result == 0 || (u->is_whole && *count > 0)) return -1;
  return (long)(capacity - room);
}

static long zstd_some(cc_unpacker *u, const uint8_t **input, size_t *count, uint8_t *output, size_t capacity) {
  zstd_input in = {*input, *count, 0};
  zstd_output out = {output, capacity, 0};
  while (out.used < out.size) {
    size_t before = out.used;
    if (in.used == in.size && u->is_whole) break;
    size_t result = lib.zstd_run(u->other, &out, &in);
    if (lib.zstd_failed(result)) return -1;
    u->is_whole = result == 0;
    if (in.used == in.size && out.used == before) break;
  }
  *input += in.used;
  *count -= in.used;
  return (long)out.used;
}

long cc_unpack_some(cc_unpacker *u, const uint8_t **input, size_t *count, uint8_t *output, size_t capacity) {
  switch (u->packing) {
    case CC_BROTLI: return brotli_some(u, input, count, output, capacity);
    case CC_ZSTD: return zstd_some(u, input, count, output, capacity);
    default: return inflate_some(u, input, count, output, capacity);
  }
}

bool cc_unpacked(const cc_unpacker *u) { return u->is_whole; }

void cc_unpack_end(cc_unpacker *u) {
  if (u->packing == CC_BROTLI) lib.brotli_free(u->other);
  if (u->packing == CC_ZSTD) lib.zstd_free(u->other);
  if ((u->packing == CC_GZIP || u->packing == CC_DEFLATE) && u->has_begun) inflateEnd(&u->zlib);
  free(u);
}
