import BackendClient
import BackendKit
import ServiceDescription

/// Everything that a document says of a service's resources and no request has shown: a section of a description for
/// each, all of it likely.
struct DocumentOutline {
  let resources: [(outline: ResourceOutline, sections: Object)]

  /// The resources that were left out, since their facts make no description.
  let defects: [String]

  /// The resources below the path of an address that are none of those read; nil if there are none. Facts that a read
  /// list has proved are likely for others with the same parameters.
  init?(_ document: ServiceDocument, below base: String, read surveys: [ResourceSurvey]) {
    let lists = DocumentedResource.all(in: document)
    let inside = (lists + DocumentedResource.others(in: document, besides: lists)).filter {
      (Candidates.plain($0.collection.template) + "/").hasPrefix(base + "/")
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
    guard !resources.isEmpty else { return nil }
    (self.resources, self.defects) = (resources, defects)
  }
}

extension ResourceSurvey {
  /// Returns whether the records below those of an owner are records of this resource.
  fileprivate func hasRecords(below owner: String, _ segments: [String]) -> Bool {
    guard let claim = claims.members(of: "owners").first(where: { $0.name == owner })?.claim else { return false }
    let last = Candidates.last(collection) ?? name
    return claim.value.object?["path"]?.text ?? last == segments.joined(separator: "/")
  }
}
