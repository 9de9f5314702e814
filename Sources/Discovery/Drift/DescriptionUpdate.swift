import BackendClient
import BackendKit
import ServiceDescription

/// Writes changes into the text of a description, one at a time, each at the place of its key. Every result is read
/// again: a change that would affect anything else is left to people.
struct DescriptionUpdate {
  private let source: DescriptionSource
  private let file: DescriptionSource.File
  private let date: String?
  private var bytes: [UInt8]
  private var done: [DescriptionChange] = []
  private var left: [(change: DescriptionChange, reason: String)] = []

  /// Makes the changes that are certain enough. Throws if the description cannot be read.
  static func updated(
    _ source: DescriptionSource, with changes: [DescriptionChange], on date: String?
  ) throws(BackendError) -> UpdatedDescription {
    guard let file = source.file else {
      let reason =
        "\(source.backend) has no description file: use backends edit \(source.backend) to change the description"
      return UpdatedDescription(bytes: [], done: [], left: changes.map { ($0, reason) })
    }
    _ = try Changes.description(source)
    var update = DescriptionUpdate(source, file, date)
    for change in changes where !update.done.contains(change) { update.take(change, among: changes) }
    return UpdatedDescription(bytes: update.bytes, done: update.done, left: update.left)
  }

  private init(_ source: DescriptionSource, _ file: DescriptionSource.File, _ date: String?) {
    (self.source, self.file, self.date, bytes) = (source, file, date, file.bytes)
  }

  private mutating func take(_ change: DescriptionChange, among changes: [DescriptionChange]) {
    if let reason = reason(against: change) { return left.append((change, reason)) }
    let own = ["resources", change.resource] + change.path
    // A shared fact is only changed if it changed for all resources.
    let alike = changes.filter { $0.path == change.path && $0.before == change.before && $0.after == change.after }
    let places = [(own, [change]), (change.path, alike)]
    if !change.isProved, let text = text(), places.contains(where: { text.isCommented($0.0) }) {
      return left.append((change, "it has a hand-written comment, and has not been verified"))
    }
    for (path, group) in places {
      guard let edited = edited(path, change), isRight(edited, group) else { continue }
      bytes = edited
      done += group
      return dateEvidence(of: Array(path.prefix(path.count - change.path.count + 1)), change)
    }
    if change.after != nil, let edited = inserted(own, change), isRight(edited, [change]) {
      bytes = edited
      return done.append(change)
    }
    left.append((change, "it cannot be changed in one place: change it by hand"))
  }

  /// The reason not to make a change; nil if it may be made.
  private func reason(against change: DescriptionChange) -> String? {
    switch change.author {
    case .configuration: "it is set under `override` in the configuration: backends edit \(source.backend)"
    case .survey: nil
    case .person: change.isProved ? nil : "it was written by hand, and has not been verified"
    case .preset: change.isProved ? nil : "it comes from the preset, and has not been verified"
    }
  }

  // MARK: Texts

  private func text() -> EditedText? { try? EditedText(bytes, file: file.name) }

  /// The text with an existing key changed or removed.
  private func edited(_ path: [String], _ change: DescriptionChange) -> [UInt8]? {
    guard change.before != nil, let text = text() else { return nil }
    guard let after = change.after else { return text.removing(path) }
    if let said = change.before?.array, let here = after.array, here.starts(with: said), here.count > said.count,
      let longer = text.appending(Array(here.dropFirst(said.count)), to: path)
    {
      return longer
    }
    return text.setting(path, to: after)
  }

  private func inserted(_ path: [String], _ change: DescriptionChange) -> [UInt8]? {
    guard let text = text(), let after = change.after else { return nil }
    let section = path.prefix(3)
    guard change.path.count == 2, change.path[0] != "fields", Self.node(text.tree, section) == nil,
      Self.node(text.tree, section.suffix(1)) == nil
    else { return text.inserting(path, after) }
    // A new section names its source.
    let facts = Object([(change.path[1], after), ("source", .object(evidence(change)))])
    return text.inserting(Array(section), .object(facts))
  }

  private static func node(_ tree: Node, _ path: some Sequence<String>) -> Node? {
    path.reduce(tree as Node?) { $0?[$1] }
  }

  private func evidence(_ change: DescriptionChange) -> Object {
    Evidence.source("probe", change.evidence, date: date)
  }

  private mutating func dateEvidence(of section: [String], _ change: DescriptionChange) {
    guard change.author == .survey, change.path.count > 1, change.path[0] != "fields", let text = text(),
      Self.node(text.tree, section + ["source"]) != nil
    else { return }
    for (key, value) in evidence(change).members {
      guard let text = self.text() else { return }
      let path = section + ["source", key]
      let edited = Self.node(text.tree, path) == nil ? text.inserting(path, value) : text.setting(path, to: value)
      if let edited, let now = facts(edited), let before = facts(bytes), now.isSame(as: before) { bytes = edited }
    }
  }

  // MARK: Results

  /// The facts that the engine reads from a text, without their sources; nil if it cannot be read.
  private func facts(_ bytes: [UInt8]) -> Value? {
    var source = source
    source.file?.bytes = bytes
    guard let description = try? Description(source), (try? description.service(hooks: source.hooks)) != nil
    else { return nil }
    var whole = description.tree.value.object ?? Object()
    let names = whole["resources"]?.object?.names ?? []
    whole["resources"] = .object(
      Object(names.compactMap { name in description.resource(name).map { (name, $0.value) } }))
    return Self.withoutSources(.object(whole))
  }

  private static func withoutSources(_ value: Value) -> Value {
    guard let object = value.object else { return value }
    return .object(
      Object(
        object.members.filter { $0.0 != "source" }.map { name, value in
          (name, name == "fields" || name == "resources" ? members(value) : withoutSources(value))
        }))
  }

  /// Removes sources from a map whose keys are names of fields or resources.
  private static func members(_ value: Value) -> Value {
    guard let object = value.object else { return value }
    return .object(Object(object.members.map { ($0, withoutSources($1)) }))
  }

  /// Returns whether a text differs from the previous one only by these changes.
  private func isRight(_ edited: [UInt8], _ changes: [DescriptionChange]) -> Bool {
    guard var before = facts(bytes), var after = facts(edited) else { return false }
    for change in changes {
      let path = ["resources", change.resource] + change.path
      let wanted = change.after.map(Self.withoutSources)
      guard Self.value(after, path).map({ $0.isSame(as: wanted ?? .null) }) ?? (wanted == nil) else { return false }
      (before, after) = (Self.without(path, before), Self.without(path, after))
      // A shared fact shows in each resource.
      (before, after) = (Self.without(change.path, before), Self.without(change.path, after))
    }
    return Self.pruned(before).isSame(as: Self.pruned(after))
  }

  private static func value(_ value: Value, _ path: [String]) -> Value? {
    path.reduce(value as Value?) { $0?.object?[$1] }
  }

  private static func without(_ path: [String], _ value: Value) -> Value {
    guard let name = path.first, var object = value.object, let inner = object[name] else { return value }
    if path.count == 1 {
      object[name] = Value?.none
    } else {
      object[name] = without(Array(path.dropFirst()), inner)
    }
    return .object(object)
  }

  /// Removes empty maps, such as those created on the way to a new key.
  private static func pruned(_ value: Value) -> Value {
    guard let object = value.object else { return value }
    return .object(
      Object(object.members.map { ($0, pruned($1)) }.filter { $0.1.object?.isEmpty != true }))
  }
}
