import CommandLanguage
import ConsoleOutput

extension Invocation {
  /// True if the result is requested as a picture: by `-o svg` or, if no format is named, by the extension of the file.
  var asksForPicture: Bool {
    if let format = value(of: "output") { return format == SVG.format }
    return value(of: "to")?.lowercased().hasSuffix(".svg") ?? false
  }
}
