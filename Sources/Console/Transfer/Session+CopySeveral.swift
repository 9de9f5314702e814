import BackendClient
import BackendKit

extension Session {
  /// Copies several resources of a backend to another, in the order given: where a field refers to a record that was copied before,
  /// it gets the identifier that this record has got.
  func copySeveral(_ list: String, _ invocation: Invocation) async throws {
    let names = list.split(separator: ",").map { String($0) }
    guard !names.isEmpty, Set(names).count == names.count else {
      throw UsageError("--resources takes names separated by commas, each once, not \"\(list)\"")
    }
    var words = invocation.words
    guard words.count >= 2, configuration(of: words[0].text) != nil, configuration(of: words[1].text) != nil else {
      throw UsageError("--resources needs two backends", hint: "copy BACKEND BACKEND --resources users,todos")
    }
    if invocation.has("where") || invocation.has("search") || invocation.value(of: "yes") != nil {
      throw UsageError("--where, --search and --yes=N cannot be combined with --resources", hint: "copy one at a time")
    }
    // What refers to a record that is only planned has no identifier to refer by.
    if invocation.has("dry-run") || execution.plan != nil {
      throw UsageError("--resources cannot be planned or shown by --dry-run", hint: "copy one at a time")
    }
    let (from, to) = (words.removeFirst().text, words.removeFirst().text)
    let store = try TransferStore(state: stateFolder)
    for name in names {
      try store.clear()
      let source = try await target(backend: from, path: ResourcePath(name: name))
      let target = try await target(backend: to, path: ResourcePath(name: name))
      execution.target = target
      let described = try await source.client.resource(source.path)
      let resource = try await target.client.resource(target.path)
      var query = try await ListOptions(
        invocation.withWords([Word(text: source.description, isQuoted: false, column: 1)]), self)
      query.query = ListQuery(source.path)
      execution.target = target
      // Either side may know of a reference; what one of them says of a field counts once.
      var references: [String: String] = [:]
      for field in described.fields + resource.fields {
        guard let reference = field.reference, names.contains(reference.resource) else { continue }
        references[field.name] = reference.resource
      }
      try await transfer("copy", source, target, query, words, invocation, store) { fields in
        for (field, referred) in references {
          guard let value = fields[field], let old = RecordID(value)?.text,
            let new = try store.newName(of: old, in: "\(from)/\(referred)")
          else { continue }
          fields[field] = if case .number = value, let number = Number(new) { .number(number) } else { .string(new) }
        }
      }
      // What was there already has an identifier, too.
      try store.keepNames(resource: source.description)
    }
  }
}
