extension RESTBackend {
  /// The longest overview, in bytes.
  private static let mostBytes = 8 << 20
  /// The longest time to wait for the end of an overview.
  private static let patience = Duration.seconds(10)
  /// So many records of each of its members tell what fields they have.
  private static let samples = 20
  /// So many members are made resources of.
  private static let mostMembers = 1_000

  /// The description with what the overview shows of other resources. Where it cannot be had that is a remark, for what
  /// is known without it stays true.
  func surveyed(_ description: BackendDescription, at path: RequestPath) async throws(BackendError)
    -> BackendDescription
  {
    guard let learn = service.hooks.learn else { return description }
    var surveyed = description
    do throws(BackendError) {
      let members = try await members(ofOverviewAt: path)
      let names = Set(description.resources.map { $0.name.lowercased() })
      for found in self.description(of: learn(members)).resources {
        if !names.contains(found.name.lowercased()) {
          surveyed.resources.append(found)
        } else if !found.fields.isEmpty,
          let place = surveyed.resources.firstIndex(where: { $0.name == found.name && $0.fields.isEmpty })
        {
          (surveyed.resources[place].fields, surveyed.resources[place].source) = (found.fields, found.source)
        }
      }
    } catch {
      // Any other error means that the address belongs to another service or cannot be reached.
      guard error.code == .unsupported else { throw error }
      surveyed.note = "other resources of the server could not be determined: \(error.message)"
    }
    return surveyed
  }

  /// A record for each member of the overview. It is read as it comes, and no more than the first records of each member
  /// is kept.
  private func members(ofOverviewAt path: RequestPath) async throws(BackendError) -> [Record] {
    let request = HTTPRequest("GET", path, headers: service.headers + service.readingHeaders, effect: .read)
    let answer = try await engine.exchange.send(request)
    guard answer.isSuccess else {
      // A server that fails tells nothing, neither that it has no such document nor that nobody may read it.
      guard (400..<500).contains(answer.status) else { throw answer.failure(of: request, "address /\(path)") }
      throw BackendError(
        .unsupported, "the server responded to \(request.summary) with status \(answer.status)", effect: .rejected)
    }
    var reader = JSONReader(items: .members, limits: JSONReader.Limits(document: Self.mostBytes))
    var samples: [String: [Value]] = [:]
    var count = 0
    let end = ContinuousClock.now + Self.patience
    do {
      while let piece = try await answer.body.next() {
        count += piece.count
        guard count <= Self.mostBytes, ContinuousClock.now < end else {
          let reason = count <= Self.mostBytes ? "takes longer than 10 seconds" : "is longer than 8 MiB"
          throw BackendError(.unsupported, "the response to \(request.summary) \(reason)", effect: .rejected)
        }
        for case .object(let element) in try reader.feed(piece) {
          guard let name = element.names.first, let value = element[name] else { continue }
          if samples[name, default: []].count < Self.samples { samples[name, default: []].append(value) }
        }
      }
      let document = try reader.finish()
      if let object = document.object, let members = Self.members(of: object, samples) { return members }
      throw BackendError.badResponse(
        "the response to \(request.summary) contains no collections", hint: "check the backend's address")
    } catch let error as BackendError {
      throw error
    } catch {
      throw BackendError.badResponse("the response to \(request.summary) is not valid JSON")
    }
  }

  private static func members(of document: Object, _ samples: [String: [Value]]) -> [Record]? {
    let members = document.members.prefix(mostMembers).compactMap { name, value -> Record? in
      switch value {
      case .array:
        Record(id: RecordID(name), fields: Object([("records", .array(samples[name] ?? []))]))
      case .object: Record(id: RecordID(name), fields: Object([("record", value)]))
      default: nil
      }
    }
    return members.isEmpty && !document.isEmpty ? nil : members
  }
}
