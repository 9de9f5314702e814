import BackendClient
import BackendKit
import ServiceDescription

extension Surveyor {
  func file(of description: Object) -> String { Proposal.file(of: description) }

  func extended(
    _ description: DescriptionSource, below base: String, with survey: ServiceSurvey
  ) throws(BackendError) -> (file: String, added: [String]) {
    let whole = try ExtendedDescription(description, below: base, with: survey)
    return (whole.text, whole.added)
  }

  func updated(
    _ description: DescriptionSource, with changes: [DescriptionChange], on date: String
  ) throws(BackendError) -> UpdatedDescription {
    try DescriptionUpdate.updated(description, with: changes, on: date)
  }

  func document(ofYAML bytes: [UInt8]) throws(YAMLMistake) -> YAMLDocument {
    let node: Node
    do throws(Mistakes) { node = try DescriptionText.read(bytes, file: "") } catch {
      guard let mistake = error.reported.first else { throw YAMLMistake(line: nil, "this is not YAML") }
      throw YAMLMistake(line: mistake.place.line, mistake.message, hint: mistake.hint)
    }
    return YAMLDocument(value: node.value, lines: (node.members ?? []).map { $0.place.line ?? 1 })
  }

  func migrated(_ bytes: [UInt8], file: String) throws(BackendError) -> MigratedDescription {
    do throws(Mistakes) {
      let migration = try KeyMigration(of: bytes, file: file)
      return MigratedDescription(
        bytes: migration.bytes,
        changes: migration.changes.map {
          MigratedDescription.Change(
            line: $0.place.line ?? 0, path: $0.place.path.joined(separator: "."), name: $0.new)
        })
    } catch { throw .misconfigured(error.description) }
  }
}
