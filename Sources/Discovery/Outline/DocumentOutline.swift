import BackendClient
import BackendKit
import ServiceDescription

/// Everything that a document says of a service's resources and no request has shown: a section of a description for
/// each, all of it likely.
struct DocumentOutline {
  let resources: [(outline: ResourceOutline, sections: Object)]

  /// The resources that were left out, by reason.
  private let left: [(reason: String, paths: [String])]
  /// The number of lists that were read.
  private let read: Int

  /// The resources below the path of an address that are none of those read. Facts that a read list has proved are
  /// likely for others with the same parameters. Paths with a verb, and those of which nothing but a POST is described,
  /// are left out, unless the operator `named` them.
  init(_ document: ServiceDocument, below base: String, read surveys: [ResourceSurvey], named: [String]) {
    let others = DocumentedResource.others(in: document, besides: document.lists)
    // Records with several variables bring the list that shows them.
    let taken = Set(others.filter { $0.collection.operations["GET"] != nil }.map(\.collection.template))
    let all = document.lists.filter { $0.item != nil || !taken.contains($0.collection.template) } + others
    var (inside, outside, verbs): ([DocumentedResource], [String], [String]) = ([], [], [])
    var calls: [String] = []
    for resource in all {
      let isRecord = resource.collection.operations.isEmpty
      let path = Candidates.plain(isRecord ? resource.item?.template ?? "" : resource.collection.template)
      let isNamed = named.contains { $0 == resource.name || $0 == path }
      if !(path + "/").hasPrefix(base + "/") {
        outside.append(path)
      } else if resource.isAction(below: base), !isNamed {
        verbs.append(path)
      } else if resource.isCall, !isNamed {
        calls.append(path)
      } else {
        inside.append(resource)
      }
    }
    let read = surveys.filter { $0.shape != nil }
    var names: [String: String] = [:]
    for survey in read {
      let path = survey.nested?.shape ?? survey.documented?.collection.template ?? survey.collection
      names[Candidates.plain(path)] = survey.name
    }
    let places = OutlinePlaces(inside, below: base, names: names)
    var (resources, defects): ([(outline: ResourceOutline, sections: Object)], [String]) = ([], [])
    for place in places.list {
      if let path = place.resource?.collection.plain, names[String(path)] != nil { continue }
      let owner = place.owner.map { places.list[$0].name }
      if let owner, read.contains(where: { $0.hasRecords(below: owner, place.segments) }) { continue }
      let sections = OutlineSections(place, document.schemas, below: base, owner: owner, read)
      let outline = ResourceOutline(name: place.name, group: sections.group, owners: owner.map { [$0] } ?? [])
      let all = sections.all
      do throws(BackendError) {
        _ = try DocumentedLine.resource(outline, .object(all), at: Place(file: place.name))
        resources.append((outline, all))
      } catch { defects.append(error.message) }
    }
    (self.resources, self.read) = (resources, read.count)
    left = [
      ("with a verb in the path", verbs), ("with nothing but POST", calls), ("outside of \(base)", outside),
      ("with facts that make no description", defects),
    ].filter { !$0.1.isEmpty }
  }

  /// The numbers of resources that were read, are only described and were left out, in one sentence; nil without any
  /// but those read.
  var summary: String? {
    guard !resources.isEmpty || !left.isEmpty else { return nil }
    let text = "\(counted(read, "resource")) read, \(resources.count) only described by the document"
    let counts = left.map { "\($0.paths.count) \($0.reason)" }.joined(separator: ", ")
    if left.count == 1 { return "\(text); \(left[0].paths.count) left out, \(left[0].reason)" }
    return left.isEmpty ? text : "\(text); \(left.reduce(0) { $0 + $1.paths.count }) left out: \(counts)"
  }

  /// The reasons for what was left out, a sentence each.
  var details: [String] {
    left.map { reason, paths in
      let more = paths.count > Self.mostNamed ? " and \(paths.count - Self.mostNamed) more" : ""
      return "left out, \(reason): \(paths.prefix(Self.mostNamed).joined(separator: ", "))\(more)"
    }
  }

  private static let mostNamed = 20
}

extension DocumentedResource {
  /// Returns whether a fixed segment of its path below a base has a verb.
  fileprivate func isAction(below base: String) -> Bool {
    let path = collection.template.split(separator: "/").map { OutlinePlaces.isVariable(String($0)) ? "{}" : $0 }
    return ActionWords.verb(in: "/" + path.joined(separator: "/"), beyond: [base]) != nil
  }

  /// True if nothing but a POST to one record is described, as for `/deployment/promote/{id}`: that changes something,
  /// and shows nothing.
  fileprivate var isCall: Bool {
    collection.operations.isEmpty && item.map { $0.operations.count == 1 && $0.operations["POST"] != nil } == true
  }
}

extension ResourceSurvey {
  /// Returns whether the records below those of an owner are records of this resource.
  fileprivate func hasRecords(below owner: String, _ segments: [String]) -> Bool {
    guard let claim = claims.members(of: "owners").first(where: { $0.name == owner })?.claim else { return false }
    let last = Candidates.bare(Candidates.last(collection) ?? name)
    return claim.value.object?["path"]?.text ?? last == Candidates.bare(segments.joined(separator: "/"))
  }
}
