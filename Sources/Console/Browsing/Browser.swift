import BackendClient
import BackendKit
import CommandLanguage
import ConsoleOutput
import ConsoleScreen
import ConsoleSetup
import ConsoleSystem
import Files

/// Shows a screen of records until its user leaves it. No key waits for a service: other tasks read, and tell it.
final class Browser: CommandPart {
  enum Event: Sendable {
    case key(ScreenKey)
    /// A list has more to show.
    case read
    /// The effect of a read that a key asked for, unless another key has begun something else meanwhile.
    case found(@Sendable (Browser) -> Void)
    case failure(BackendError)
  }

  /// A screen, above the one from which a reference led to it.
  struct Level {
    let target: Target
    let query: ListQuery
    /// The conditions and options of the command, which the screen adds to.
    let words: [String]
    var model: BrowseModel
    var reading: Task<Void, Never>?
  }

  let context: CommandContext
  let events = AsyncStream<Event>.makeStream()
  var levels: [Level] = []

  init(context: CommandContext) { self.context = context }

  /// The number of edits on all screens.
  var unsent: Int { levels.reduce(0) { $0 + $1.model.edits.count } }

  /// The screen that is shown.
  var level: Level {
    get { levels[levels.count - 1] }
    set { levels[levels.count - 1] = newValue }
  }
  var model: BrowseModel {
    get { level.model }
    set { level.model = newValue }
  }

  /// Shows the records of a query, and returns the line that lists them with the last conditions.
  func browse(
    _ request: ListRequest, of target: Target, _ resource: ResourceDescription, columns: [FieldPath]?, words: [String],
    on screen: any Screen
  ) async -> String {
    push(request, of: target, resource, columns: columns, words: words)
    ask(screen)
    screen.show(model.frame(screen.size))
    loop: for await event in events.stream {
      switch event {
      case .key(.closed): break loop
      case .key(let key):
        if let effect = model.handle(key), await !carryOut(effect, on: screen) { break loop }
        ask(screen)
      case .read: take()
      case .found(let take):
        guard case .rows = model.mode else { continue }
        model.message = nil
        take(self)
      case .failure(let error): model.say("\(failure(error).sentence)")
      }
      screen.show(model.frame(screen.size))
    }
    for level in levels { end(level) }
    await screen.close()
    if unsent > 0 { keepUnsent() }
    return levels.first?.line ?? ""
  }

  /// Waits for the next key beside everything else. None is awaited while the screen is closed.
  private func ask(_ screen: any Screen) {
    Task { [events = events.continuation] in events.yield(.key(await screen.next())) }
  }

  func push(
    _ request: ListRequest, of target: Target, _ resource: ResourceDescription, columns: [FieldPath]?, words: [String],
    _ condition: String = ""
  ) {
    var presentation = RecordOutput(format: .table, header: true)
      .presentation(context, resource, columns: columns, isSingle: false)
    presentation.theme = .plain
    var request = request
    let query = levels.isEmpty ? request.query : ListQuery(target.path)
    request.query = query
    var isEditable = resource.identifier.namesRecords
    do throws(UsageError) { try target.checkWritable() } catch { isEditable = false }
    let list = BrowsedList(request, of: resource, in: target.client.makeSpool())
    var model = BrowseModel(
      "\(target.description)", isProduction: target.backend.configuration.isProduction, resource, list, presentation,
      BrowseEdits(in: target.client.makeSpool()), isEditable: isEditable, isInner: !levels.isEmpty)
    (model.filter, model.editsBefore) = (condition, unsent)
    model.isSecret = reporter.blanking.isSecret
    levels.append(Level(target: target, query: query, words: words, model: model))
    read()
  }

  // MARK: Reading

  /// Reads the list of the present conditions; what was read before is shown until there is something else.
  func read(isTyping: Bool = false) {
    var request = model.list.request
    do throws(UsageError) { request.query = try level.asked() } catch {
      return model.say("\(error.sentence)")
    }
    end(level)
    let client = level.target.client
    let list = BrowsedList(request, of: model.resource, in: client.makeSpool())
    list.want(model.top + 5 * model.height)
    if level.reading == nil { model.lists = ListSuccession(list) } else { model.lists.follow(with: list) }
    level.reading = Task { [events = events.continuation] in
      if isTyping { do { try await Task.sleep(for: .milliseconds(200)) } catch { return } }
      await list.read(from: client) { events.yield(.read) }
    }
  }

  private func end(_ level: Level) {
    level.model.lists.stop()
    level.reading?.cancel()
  }

  /// Takes notice of records that were read.
  private func take() {
    for place in levels.indices {
      levels[place].model.look()
      let model = levels[place].model
      guard let next = model.lists.next else { continue }
      next.look()
      // Of the same list as much is awaited as there is on the screen.
      let fewest = model.lists.isShown(next) ? model.top + model.height : 1
      guard next.count >= fewest || next.end != nil else { continue }
      if case .failure(let error)? = next.end, next.count == 0 {
        levels[place].model.lists.fail()
        levels[place].model.say("\(failure(error).sentence)")
      } else {
        levels[place].model.show(next)
      }
    }
  }

  /// Goes back to the screen before; false if there is none.
  func pop() -> Bool {
    guard levels.count > 1 else { return false }
    end(levels.removeLast())
    return true
  }
}

extension Browser.Level {
  /// The query with the conditions and the order of the screen.
  fileprivate func asked() throws(UsageError) -> ListQuery {
    let typed = try BrowseFilter(model.filter, of: model.resource)
    var query = query
    query.filters += typed.filters
    query.search = typed.search ?? query.search
    query.sort = model.sort ?? query.sort
    return query
  }

  /// The line that lists the same.
  fileprivate var line: String {
    var words = words
    do throws(UsageError) { words += try BrowseFilter(model.filter, of: model.resource).line } catch {}
    let sort = model.sort ?? query.sort
    if !sort.isEmpty {
      words += ["--sort", Quoting.word(sort.map(\.description).joined(separator: ","))]
      if query.serverOrder { words.append("--server-order") }
    }
    return (["list", target.description] + words).joined(separator: " ")
  }
}
