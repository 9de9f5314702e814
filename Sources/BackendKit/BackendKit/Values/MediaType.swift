/// Media types, as header fields name them.
public enum MediaType {
  /// The type of unknown content.
  public static let unknown = "application/octet-stream"

  /// The type of a file by its extension.
  public static func of(fileNamed name: String) -> String {
    let file = name.split(separator: "/").last ?? ""
    guard let dot = file.lastIndex(of: "."), dot != file.startIndex else { return unknown }
    return types[file[file.index(after: dot)...].lowercased()] ?? unknown
  }

  /// Returns whether a text is a media type: a type and a subtype, optionally with parameters, without characters that
  /// would end a header field.
  public static func isOne(_ text: String) -> Bool {
    let name = text.prefix { $0 != ";" }
    let parts = name.split(separator: "/", omittingEmptySubsequences: false)
    return parts.count == 2 && text.utf8.allSatisfy { (0x20...0x7E).contains($0) }
      && parts.allSatisfy { part in
        !part.isEmpty && part.utf8.allSatisfy { $0 > 0x20 && !"()<>@,:\\\"[]?={}".utf8.contains($0) }
      }
  }

  private static let types = [
    "7z": "application/x-7z-compressed", "avif": "image/avif", "bin": unknown, "bmp": "image/bmp",
    "bz2": "application/x-bzip2", "css": "text/css", "csv": "text/csv", "doc": "application/msword",
    "docx": "application/vnd.openxmlformats-officedocument.wordprocessingml.document", "epub": "application/epub+zip",
    "flac": "audio/flac", "geojson": "application/geo+json", "gif": "image/gif", "gz": "application/gzip",
    "htm": "text/html", "html": "text/html", "ico": "image/vnd.microsoft.icon", "ics": "text/calendar",
    "jar": "application/java-archive", "jpeg": "image/jpeg", "jpg": "image/jpeg", "js": "text/javascript",
    "json": "application/json", "log": "text/plain", "m4a": "audio/mp4", "md": "text/markdown",
    "mov": "video/quicktime",
    "mp3": "audio/mpeg", "mp4": "video/mp4", "ndjson": "application/x-ndjson",
    "odp": "application/vnd.oasis.opendocument.presentation", "ods": "application/vnd.oasis.opendocument.spreadsheet",
    "odt": "application/vnd.oasis.opendocument.text", "ogg": "audio/ogg", "pdf": "application/pdf",
    "pem": "application/x-pem-file", "png": "image/png", "ppt": "application/vnd.ms-powerpoint",
    "pptx": "application/vnd.openxmlformats-officedocument.presentationml.presentation", "rtf": "application/rtf",
    "svg": "image/svg+xml", "tar": "application/x-tar", "tgz": "application/gzip", "tif": "image/tiff",
    "tiff": "image/tiff", "tsv": "text/tab-separated-values", "txt": "text/plain", "wasm": "application/wasm",
    "wav": "audio/wav", "webm": "video/webm", "webp": "image/webp", "xls": "application/vnd.ms-excel",
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet", "xml": "application/xml",
    "xz": "application/x-xz", "yaml": "application/yaml", "yml": "application/yaml", "zip": "application/zip",
    "zst": "application/zstd",
  ]
}
