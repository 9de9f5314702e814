import BackendClient
import BackendKit
import ConsoleOutput

/// Records as text for an editor: a YAML document each, with secrets and fields that only the server sets as comments.
struct EditText {
  struct Opened: Sendable {
    let id: RecordID
    let record: Record
    let image: JournalImage
    let mark: String
  }

  let resource: ResourceDescription
  let records: [Opened]
  let head: [String]

  init(_ target: Target, _ resource: ResourceDescription, _ records: [Record], _ images: JournalImages) {
    self.resource = resource
    self.records = records.compactMap { record in
      guard let id = record.id else { return nil }
      return Opened(
        id: id, record: record, image: images.image(record),
        mark: "--- # " + Escaping.text(target.description(of: id)))
    }
    head = [
      "Save your changes and leave the editor. Fields whose text is unchanged are not sent; a field that you remove is",
      "cleared. Lines that begin with --- separate records; do not change them.",
    ]
  }

  /// The text; with `usesBlocks`, multi-line texts become YAML blocks.
  func text(usesBlocks: Bool) -> String {
    var text = head.map { "# \($0)\n" }.joined()
    for opened in records {
      text += "\(opened.mark)\n"
      text += comments(opened)
      for (name, value) in writable(opened).members { text += Self.member(name, value, usesBlocks) }
    }
    return text
  }

  func writable(_ opened: Opened) -> Object {
    Object(opened.image.fields.members.filter { !isFixed($0.0) })
  }

  private func isFixed(_ name: String) -> Bool {
    resource.field(named: name)?.refusesWrites == true || name == resource.identifier.field
  }

  private func comments(_ opened: Opened) -> String {
    var text = ""
    for (name, value) in opened.image.fields.members where isFixed(name) {
      text += "# \(Escaping.text(name)): \(Escaping.json(JSONWriter.compact(value)))\n"
    }
    for name in opened.image.gaps { text += "# \(Escaping.text(name)): a secret, which is not shown\n" }
    for name in opened.image.unloaded { text += "# \(Escaping.text(name)): not loaded\n" }
    let absent = resource.fields.filter { field in
      !isFixed(field.name) && !field.isSecret && opened.image.value(of: field.name) == .absent
    }
    if !absent.isEmpty {
      text += "# without a value: \(absent.map { Escaping.text($0.name) }.joined(separator: ", "))\n"
    }
    return text
  }

  // MARK: YAML

  private static func member(_ name: String, _ value: Value, _ usesBlocks: Bool) -> String {
    if usesBlocks, case .string(let text) = value, name.utf8.count <= 256, let block = block(text) {
      var writer = YAMLWriter()
      writer.write(name)
      return String(decoding: writer.bytes, as: UTF8.self) + ": \(block)"
    }
    var writer = YAMLWriter()
    writer.write(.object(Object([(name, value)])), level: 0)
    return String(decoding: writer.bytes, as: UTF8.self) + "\n"
  }

  /// A multi-line text as a block; nil if a block would not preserve it.
  private static func block(_ text: String) -> String? {
    guard text.utf8.contains(0x0A), !text.hasSuffix("\n\n"), text != "\n" else { return nil }
    let isPlain = text.unicodeScalars.allSatisfy { scalar in
      switch scalar.value {
      case 0x0A, 0x09: true
      // Line ends of YAML, characters that it does not allow, and invisible ones.
      case 0x00...0x1F, 0x7F...0x9F, 0x2028, 0x2029, 0xFEFF, 0xFFFE, 0xFFFF: false
      default: !scalar.properties.isDefaultIgnorableCodePoint
      }
    }
    guard isPlain else { return nil }
    let endsLine = text.hasSuffix("\n")
    let lines = (endsLine ? String(text.dropLast()) : text).split(separator: "\n", omittingEmptySubsequences: false)
    // YAML would derive the indentation from a first line that begins with blanks.
    let needsIndentation = lines.first.map { $0.isEmpty || $0.hasPrefix(" ") || $0.hasPrefix("\t") } ?? true
    return "|\(needsIndentation ? "2" : "")\(endsLine ? "" : "-")\n"
      + lines.map { $0.isEmpty ? "\n" : "  \($0)\n" }.joined()
  }
}
