import BackendClient
import BackendKit
import ServiceDescription

extension Surveyor {
  func file(of description: Object) -> String { Proposal.file(of: description) }

  func document(ofYAML bytes: [UInt8]) throws(YAMLMistake) -> YAMLDocument {
    let node: Node
    do throws(Mistakes) { node = try DescriptionText.read(bytes, file: "") } catch {
      guard let mistake = error.reported.first else { throw YAMLMistake(line: nil, "this is not YAML") }
      throw YAMLMistake(line: mistake.place.line, mistake.message, hint: mistake.hint)
    }
    return YAMLDocument(value: node.value, lines: (node.members ?? []).map { $0.place.line ?? 1 })
  }
}
