#include "CGzip.h"

#include <limits.h>
#include <zlib.h>

// The window of 15 bits, and 16 for a gzip header in place of zlib's own.
enum { gzip_window = 15 + 16, usual_memory = 8 };

size_t switchboard_gzip(const uint8_t *bytes, size_t count, uint8_t *output, size_t capacity) {
  if (count > UINT_MAX || capacity > UINT_MAX) return 0;
  z_stream stream = {0};
  if (deflateInit2(&stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, gzip_window, usual_memory, Z_DEFAULT_STRATEGY) != Z_OK) {
    return 0;
  }
  stream.next_in = (Bytef *)bytes;
  stream.avail_in = (uInt)count;
  stream.next_out = output;
  stream.avail_out = (uInt)capacity;
  int result = deflate(&stream, Z_FINISH);
  size_t written = stream.total_out;
  deflateEnd(&stream);
  return result == Z_STREAM_END ? written : 0;
}
