@testable import ServiceDescription

/// The reference of the format, generated from the keys that the readers declare.
enum DescriptionReference {
  /// A heading and a table for each section, as Markdown.
  static func markdown() -> String {
    var text = ""
    for section in Section.ordered {
      text += "### \(section.name == .description ? "A description" : "`\(section.name.rawValue)`")\n\n"
      text += section.help + "\n\n| key | value | meaning |\n| --- | --- | --- |\n"
      for key in section.keys where section.name == .description || !isShared(key, section) {
        text += "| `\(key.name)` | \(words(key.shape)) | \(cell(key.help)) |\n"
      }
      text += "\n"
      for key in section.keys {
        guard let choices = choices(key.shape), choices.contains(where: { !$0.help.isEmpty }), key.name != "source"
        else {
          continue
        }
        text += "`\(key.name)`: " + choices.map { "`\($0.name)` \(cell($0.help))" }.joined(separator: "; ") + ".\n\n"
      }
    }
    return text + """
      ## Renamed keys

      These keys had other names in earlier builds. A description with an old name is refused, with the corrected line; `config migrate FILE`
      renames the keys of a file.

      \(RenamedKey.markdown())
      """
  }

  /// Returns whether the table of the whole description already has the key.
  private static func isShared(_ key: Section.Key, _ section: Section) -> Bool {
    key.name == "source" || section.name == .resource && Section.sharedKeys.contains(key.name)
  }

  private static func cell(_ text: String) -> String {
    text.split(separator: "|", omittingEmptySubsequences: false).joined(separator: "\\|")
  }

  private static func choices(_ shape: Shape) -> [(name: String, help: String)]? {
    switch shape {
    case .word(let words): words
    case .list(let element): choices(element)
    case .either(let first, _): choices(first)
    default: nil
    }
  }

  private static func words(_ shape: Shape) -> String {
    switch shape {
    case .text(.member): "place"
    case .text(.path): "path"
    case .text(.header): "header field"
    case .text(.hook): "hook"
    case .text: "text"
    case .boolean: "true, false"
    case .integer(let range) where range.count == 1: "\(range.lowerBound)"
    case .integer: "whole number"
    case .any: "anything"
    case .word: "word"
    case .list(let element): "list: \(words(element))"
    case .oneOrMore(let element): "\(words(element)), or a list"
    case .map(let of, let inner): "by \(of): \(words(inner))"
    case .section(let name): "[`\(name.rawValue)`](#\(name.rawValue.lowercased()))"
    case .either(let first, let second): "\(words(first)), or \(words(second))"
    }
  }
}
