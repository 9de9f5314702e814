import CommandLanguage
import ConsoleOutput

extension Invocation {
  /// Whether the result is asked for as a picture: by `-o svg`, or, where no format is named, by the name of the file.
  var asksForPicture: Bool {
    if let format = value(of: "output") { return format == SVG.format }
    return value(of: "to")?.lowercased().hasSuffix(".svg") ?? false
  }
}
