import BackendClient
import BackendKit
import CommandLanguage
import ConsoleSystem

/// The query of a list-like command, from its words and options.
struct ListOptions {
  let target: Target
  var query: ListQuery
  let maximumScan: Int
  /// True to accept an end that is not proved.
  let trustsEnd: Bool
  /// The conditions written as words, which are the first filters of the query.
  private let words: [Word]
  /// The words with the names of `--fields` and `--sort`.
  private var (fieldWord, sortWord): (Word?, Word?) = (nil, nil)

  init(_ invocation: Invocation, _ ports: CommandContext) async throws {
    let (target, given) = try await Subject(ports).target(of: invocation)
    let words = given.words(.predicate)
    if given.word(.target) == nil, let word = words.first, word.isBare, !Predicates.looksLikePredicate(word) {
      let isApart = words.dropFirst().first.map { $0.text.utf8.allSatisfy { OperatorSigns.all.contains($0) } } ?? false
      if ports.run.rehearsal == nil, !isApart {
        // This may read the live description, to see if the word is a field. A failure of that is not the command's.
        do { try await Conditions(ports).check(words, target, after: nil) } catch let error as UsageError {
          throw error
        } catch {}
      }
      var hint = await ports.targets.question(about: word.text)
      if hint == nil, let tried = await ports.targets.triedTarget(word.text) {
        hint = "write \(word.text)=VALUE for a condition, \(tried) for a resource that is not described"
      }
      throw UsageError(
        "unknown backend, resource or condition \"\(word.text)\"",
        hint: hint ?? "\(ports.targets.backendNames); a condition is FIELD=VALUE, without spaces")
    }
    if !words.isEmpty { try await Conditions(ports).check(words, target, after: invocation.value(of: "where")) }
    try self.init(target, words, given, ports)
  }

  init(_ target: Target, _ words: [Word], _ invocation: Invocation, _ ports: CommandContext) throws(UsageError) {
    self.target = target
    self.words = words
    query = ListQuery(target.path)
    query.filters = try words.map { word throws(UsageError) in try Predicates.filter(from: word) }
    if let word = invocation.word(of: "where") { query.filters += Self.parts(try WhereParser.filter(from: word)) }
    query.search = invocation.value(of: "search")
    query.native = invocation.value(of: "native")
    if let word = invocation.word(of: "native"), !word.insertions.isEmpty {
      throw UsageError(
        "--native takes no variables: the server would read their values as its own language",
        hint: "--where inserts values safely", column: word.column)
    }
    for word in invocation.allWords(of: "param") {
      let name = String(word.text.prefix { $0 != "=" })
      guard !name.isEmpty, name != word.text, query.parameters[name] == nil else {
        throw UsageError(
          query.parameters[name] == nil
            ? "--param takes NAME=VALUE, not \"\(word.text)\"" : "--param gives \(name) more than once",
          column: word.column)
      }
      query.parameters[name] = String(word.text.dropFirst(name.count + 1))
    }
    query.ignoreCase = invocation.has("ignore-case")
    trustsEnd = invocation.has("trust-end")
    maximumScan = try invocation.count(of: "max-scan") ?? ports.run.settings.maxScan
  }

  private static func parts(_ filter: Filter) -> [Filter] {
    if case .and(let filters) = filter { filters.flatMap(parts) } else { [filter] }
  }

  /// The request for the list of the query, or a variant of it.
  func request(_ query: ListQuery? = nil, limit: Int? = nil, isScan: Bool = false) -> ListRequest {
    var request = ListRequest(query ?? self.query, limit: limit, maximumScan: maximumScan, isScan: isScan)
    request.trustsEnd = trustsEnd
    request.verifies = true
    return request
  }

  mutating func addShape(_ invocation: Invocation) throws(UsageError) {
    (fieldWord, sortWord) = (invocation.word(of: "fields"), invocation.word(of: "sort"))
    if let word = sortWord {
      query.sort = try Self.fields(word, "--sort").map { name throws(UsageError) in
        if let lookAlike = name.lookAlike(isValue: true) { throw lookAlike }
        return name.text.hasPrefix("-") && !name.isInserted(0)
          ? SortKey(FieldPath(String(name.text.dropFirst())), isDescending: true) : SortKey(FieldPath(name.text))
      }
    }
    if let word = fieldWord {
      query.fields = try Self.fields(word, "--fields").map { FieldPath($0.text) }
    }
    if let word = invocation.word(of: "embed") { query.embedded = try Self.fields(word, "--embed").map(\.text) }
    query.serverOrder = invocation.has("server-order")
    if query.serverOrder && query.sort.isEmpty {
      throw UsageError(
        "--server-order requires --sort FIELD", hint: "it sorts by those fields, using the server's rules")
    }
  }

  static func fields(_ word: Word, _ option: String) throws(UsageError) -> [Word] {
    let names = word.split(at: UInt8(ascii: ","))
    if names.contains(where: { $0.text.isEmpty || $0.text == "-" }) {
      throw UsageError(
        "\(option) takes field names separated by commas, not \"\(word.text)\"", column: word.column)
    }
    return names
  }

  /// The field that quoted names joined by commas may be as a whole, if a record has a field of that name: only if not
  /// all of the names are known fields.
  private static func oneName(
    _ text: String?, _ word: Word?, _ paths: [FieldPath], _ resource: ResourceDescription
  ) -> FieldPath? {
    guard let text, let word, word.isQuoted, word.insertions.isEmpty, paths.count > 1, resource.mayHaveOtherFields,
      paths.contains(where: { $0.holders.allSatisfy { resource.field(named: $0) == nil } })
    else { return nil }
    return .member(text)
  }

  /// Converts words for dates by the fields of the resource, and refuses unknown fields, since a server may ignore a
  /// condition on one. If records may have undescribed fields, that is only a warning unless `--strict` is on.
  mutating func checkFields(_ resource: ResourceDescription, _ ports: CommandContext) throws(UsageError) {
    if query.filters.isEmpty, query.sort.isEmpty, query.fields == nil { return }
    for place in words.indices { query.filters[place] = try Predicates.filter(from: words[place], of: resource) }
    query.filters = try resource.dated(query.filters)
    let named = query.filters.flatMap(\.paths) + query.sort.map(\.path) + (query.fields ?? [])
    let paths = named.filter { !$0.isMember }
    if let name = Self.oneName(fieldWord?.text, fieldWord, query.fields ?? [], resource) { query.fields?.append(name) }
    let isDescending = query.sort.first?.isDescending ?? false
    let sorted = (sortWord?.text).map { isDescending ? String($0.dropFirst()) : $0 }
    if let name = Self.oneName(sorted, sortWord, query.sort.map(\.path), resource) {
      query.sort.append(SortKey(name, isDescending: isDescending))
    }
    defer { if resource.isDescribed { resource.notes(on: query.filters).forEach { ports.warn($0) } } }
    try Conditions(ports).check(paths, of: target, resource)
  }
}
