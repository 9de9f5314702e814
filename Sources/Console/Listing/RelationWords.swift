import BackendClient
import BackendKit
import CommandLanguage
import ConsoleSystem

/// Resolves the relations of `--with`.
struct RelationWords: CommandPart {
  let context: CommandContext

  func relations(
    _ invocation: Invocation, of target: Target, _ resource: ResourceDescription, maximumScan: Int? = nil
  ) async throws -> Relations {
    let words = invocation.allWords(of: "with")
    var names: [Word] = []
    for word in words {
      for name in try ListOptions.fields(word, "--with") where !names.contains(where: { $0.text == name.text }) {
        names.append(name)
      }
    }
    var known = resource.relations
    if resource.isOpen || resource.source == .unknown,
      names.contains(where: { Self.relation($0.text, in: known) == nil })
    {
      // The live description may have more relations.
      known = try await target.client.describe(.live).resource(at: target.path)?.relations ?? known
    }
    var members: [Relations.Member] = []
    for name in names {
      guard let relation = Self.relation(name.text, in: known) else { throw unknown(name, target, known) }
      members.append(
        Relations.Member(
          name: Relations.memberName(name.text), relation: relation,
          records: try await RelatedRecords(
            relation.reference, of: target.client, maximumScan: maximumScan ?? run.settings.maxScan)))
    }
    return Relations(members, of: target.description)
  }

  /// The relation of a field with this name, otherwise the only one with this short name.
  private static func relation(_ name: String, in known: [Relation]) -> Relation? {
    if let exact = known.first(where: { $0.path.text == name }) { return exact }
    let alike = known.filter { $0.shortName == name }
    return alike.count == 1 ? alike.first : nil
  }

  private func unknown(_ name: Word, _ target: Target, _ known: [Relation]) -> UsageError {
    let names = known.map(\.shortName)
    return UsageError(
      "unknown reference field \"\(name.text)\" in \(target.description)", name.text, among: names,
      else: names.isEmpty
        ? "it has no reference fields" : "reference fields: \(names.joined(separator: ", "))",
      column: name.column)
  }
}

extension RecordSink {
  /// A sink that adds related records before it passes records on.
  func adding(_ relations: Relations) -> RecordSink {
    RecordSink { records throws(BackendError) in
      var rest = records[...]
      while !rest.isEmpty {
        let batch = Array(rest.prefix(Relations.batch))
        rest = rest.dropFirst(batch.count)
        if try await self.send(try await relations.added(to: batch)) == .enough { return .enough }
      }
      return .more
    }
  }
}
