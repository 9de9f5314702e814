import BackendClient
import BackendKit
import CommandLanguage
import ConsoleOutput
import ConsoleSetup
import ConsoleSystem

/// Predicts the first reads of the next commands from their words, without requests or messages.
struct ReadAhead: CommandPart {
  let context: CommandContext

  /// The first reads of the next commands, as far as these are known: lists and counts of the same backend, and after a
  /// `get` those that differ from it only by the identifier.
  func reads(
    after id: RecordID? = nil, of target: Target, _ resource: ResourceDescription? = nil
  ) async -> [UpcomingRead] {
    let count = run.settings.readAhead ?? (target.backend.configuration.isProduction ? 1 : 8)
    // Not for recordings, whose exchanges follow the order of commands, nor for watched commands, which repeat their
    // reads. A shell command that takes the result may change what is read next.
    guard count > 0, results.destination != .program, !run.console.isRecorded, !targets.changes.isAwaited,
      run.rehearsal == nil, let source = run.source
    else { return [] }
    let own = words.indices.filter { words[$0].text == id?.text }
    let place = own.count == 1 ? own.first : nil
    var (reads, hasLists): ([UpcomingRead], Bool) = ([], false)
    for next in source.upcoming(count) {
      if let place, let resource, isAlike(next, but: place) {
        // After a list the read would be discarded when the list is next: only a `get` is alike.
        guard !hasLists, resource.identifier.complaint(about: next[place].text) == nil,
          !target.client.isOutlined(target.path)
        else { break }
        reads.append(.record(RecordID(next[place].text), target.path))
      } else {
        guard let read = await read(of: next, sameAs: target) else { break }
        reads.append(read)
        hasLists = true
      }
    }
    return reads
  }

  private func isAlike(_ next: [Word], but place: Int) -> Bool {
    next.count == words.count && words.indices.allSatisfy { $0 == place || words[$0].text == next[$0].text }
  }

  /// The first read of a list or a count of the backend; nil for other commands, or if it is only known when they run.
  private func read(of words: [Word], sameAs target: Target) async -> UpcomingRead? {
    guard let verb = words.first?.text, verb == Command.list.name || verb == Command.count.name,
      let (command, reading) = CommandTable.reading(words[...]),
      // Their values depend on when they are read.
      !words.contains(where: { word in
        ["now", "today", "yesterday", "tomorrow"].contains { word.text.contains(text: $0) }
      }),
      let (place, isNamed) = await upcomingTarget(reading.open, sameAs: target),
      let resource = await place.client.resourceAtHand(place.path), !place.client.isOutlined(place.path),
      let given = try? Invocation(reading.bound { _, _ in isNamed }),
      !["to", "append", "with", "count-by"].contains(where: given.has),
      var options = try? ListOptions(place, given.words(.predicate), given, context),
      let filters = try? resource.dated(options.query.filters)
    else { return nil }
    options.query.filters = filters
    if command.name == Command.count.name {
      guard knowsFields(of: options, resource) else { return nil }
      let request = options.request()
      return try? await place.client.firstRead(
        counting: request.query, maximumScan: request.maximumScan, trustsEnd: request.trustsEnd)
    }
    guard (try? options.addShape(given)) != nil, knowsFields(of: options, resource),
      (try? RecordOutput(given, context, default: .table)) != nil,
      let range = try? ListRange(given, context, isUsed: false),
      let request = try? await range.request(options, given)
    else { return nil }
    return .list(request)
  }

  /// Returns whether a query has no formulas and only described fields; the command may reject others.
  private func knowsFields(of options: ListOptions, _ resource: ResourceDescription) -> Bool {
    let query = options.query
    let paths = query.filters.flatMap(\.paths) + query.sort.map(\.path) + (query.fields ?? [])
    return !query.filters.contains(where: \.isComputed)
      && paths.allSatisfy { resource.field(named: $0.text) != nil || resource.field(named: $0.field) != nil }
  }

  /// The target of a list, if it is of this backend and known without a request, and whether the word names it.
  private func upcomingTarget(_ word: Word?, sameAs target: Target) async -> (target: Target, isNamed: Bool)? {
    let name = target.client.name
    let given = word.flatMap { $0.isBare && !$0.text.hasOperator ? $0.text : nil }
    let isCurrent = targets.current?.backend == name
    guard target.backend.configuration.isTrusted, given != nil || isCurrent else { return nil }
    guard let text = given, text != name else {
      guard let found = try? await targets.target(backend: name, path: nil),
        await target.client.resourceAtHand(found.path) != nil, let spelled = try? await found.spelled
      else { return nil }
      return (spelled, given != nil)
    }
    let isWhole = text.hasPrefix(name + "/")
    guard isWhole || isCurrent && targets.configuration(of: text) == nil,
      let path = ResourcePath(isWhole ? String(text.dropFirst(name.count + 1)) : text), path.parent == nil,
      let resource = await target.client.resourceAtHand(path)
    else { return nil }
    return (Target(backend: target.backend, path: ResourcePath(name: resource.name)), true)
  }
}
