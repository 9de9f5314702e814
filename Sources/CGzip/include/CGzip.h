#ifndef SWITCHBOARD_CGZIP_H
#define SWITCHBOARD_CGZIP_H

#include <stddef.h>
#include <stdint.h>

/// Compresses bytes in the gzip format. Returns the number of bytes written, 0 where they do not fit or memory lacks.
size_t switchboard_gzip(const uint8_t *bytes, size_t count, uint8_t *output, size_t capacity);

#endif
