import BackendClient
import BackendKit

struct EditMistake: Error {
  let line: Int?
  let message: String
  let hint: String?
}

/// The edited text of a record: each field with its source text, which shows whether it was changed.
struct EditedText {
  struct Field {
    let name: String
    let value: Value
    let text: String
    let line: Int

    /// The value; if it was a text before, unquoted `008` remains a text and does not become 8.
    func value(after old: Value?) -> Value {
      guard case .string? = old, let colon = text.firstIndex(of: ":"), !text.contains("\n") else { return value }
      switch value {
      case .number, .bool: break
      case .null, .string, .array, .object: return value
      }
      let written = text[text.index(after: colon)...].drop { $0 == " " }
      let end = written.indices.first {
        written[$0] == "#" && $0 > written.startIndex && written[written.index(before: $0)] == " "
      }
      let scalar = written[..<(end ?? written.endIndex)]
      return .string(String(scalar.reversed().drop { $0 == " " || $0 == "\r" }.reversed()))
    }
  }

  let fields: [Field]

  func field(_ name: String) -> Field? { fields.first { $0.name.utf8.elementsEqual(name.utf8) } }

  private init(
    _ lines: ArraySlice<Substring>, firstLine: Int, _ reader: any ServiceSurveyor
  ) throws(EditMistake) {
    let document: YAMLDocument
    do throws(YAMLMistake) {
      document = try reader.document(ofYAML: Array(lines.joined(separator: "\n").utf8) + [0x0A])
    } catch {
      throw EditMistake(line: error.line.map { $0 + firstLine - 1 }, message: error.message, hint: error.hint)
    }
    guard let object = document.value.object, object.count == document.lines.count else {
      throw EditMistake(line: firstLine, message: "this is not a record: fields with values are expected", hint: nil)
    }
    let lines = Array(lines)
    var fields: [Field] = []
    for (place, (name, value)) in object.members.enumerated() {
      let begin = min(document.lines[place] - 1, lines.count)
      let next = place + 1 < document.lines.count ? document.lines[place + 1] - 1 : lines.count
      var own = lines[begin..<max(begin, min(next, lines.count))]
      while let last = own.last, last.allSatisfy({ $0 == " " || $0 == "\r" }) || last.hasPrefix("#") {
        own.removeLast()
      }
      fields.append(
        Field(name: name, value: value, text: own.joined(separator: "\n"), line: document.lines[place] + firstLine - 1))
    }
    self.fields = fields
  }

  /// The documents of a text by their marker lines. A document whose marker was removed is left out.
  static func read(
    _ text: String, marks: [String], _ reader: any ServiceSurveyor
  ) throws(EditMistake) -> [String: EditedText] {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    var found: [String: EditedText] = [:]
    var begins: [Int] = []
    for (index, line) in lines.enumerated() where line.hasPrefix("---") || line.hasPrefix("...") {
      let mark = line.last == "\r" ? String(line.dropLast()) : String(line)
      guard marks.contains(mark) else {
        throw EditMistake(
          line: index + 1, message: "unknown record marker",
          hint: "it was one of: \(marks.joined(separator: ", "))")
      }
      begins.append(index)
    }
    if let stray = lines[..<(begins.first ?? lines.count)].firstIndex(where: { line in
      !line.hasPrefix("#") && !line.allSatisfy { $0 == " " || $0 == "\r" }
    }) {
      throw EditMistake(line: stray + 1, message: "this comes before the first record", hint: nil)
    }
    for (place, begin) in begins.enumerated() {
      let end = place + 1 < begins.count ? begins[place + 1] : lines.count
      let mark = lines[begin].last == "\r" ? String(lines[begin].dropLast()) : String(lines[begin])
      guard found[mark] == nil else {
        throw EditMistake(line: begin + 1, message: "the same record appears here twice", hint: nil)
      }
      found[mark] = try EditedText(lines[(begin + 1)..<end], firstLine: begin + 2, reader)
    }
    return found
  }

  /// Returns the changes since a text was written. A value with unchanged source text counts as unchanged, whatever
  /// type it is read as.
  func changes(since before: EditedText) -> [(change: Change, line: Int?)] {
    var changes: [(Change, Int?)] = fields.compactMap { field in
      let old = before.field(field.name)
      let value = field.value(after: old?.value)
      if let old, old.text == field.text || old.value == value { return nil }
      return (.set(field.name, value), field.line)
    }
    for old in before.fields where field(old.name) == nil { changes.append((.unset(old.name), nil)) }
    return changes
  }
}
