import BackendKit

extension Fault {
  static let writing: [Fault] = [
    Fault("cuts text that it stores", "create stores the fields") { broken in
      broken.creating = { fields in fields["title"] = fields["title"]?.text.map { .string(String($0.dropLast())) } }
    },
    Fault("keeps quiet about the identifier of what it makes", "create returns the identifier") { broken in
      broken.receipt = { receipt, operation in if operation == "create" { receipt.id = nil } }
    },
    Fault("takes a value that is described as unique twice", "writable fields") { broken in
      broken.description = { description, _ in
        guard let place = description.resources[0].fields.firstIndex(where: { $0.name == "priority" }) else { return }
        description.resources[0].fields[place].isUnique = true
      }
    },
    Fault("replaces instead of patching", "update keeps other fields") { broken in
      broken.updating = { _, changes, _ in changes.append(.unset("priority")) }
    },
    Fault("loses number digits", "update keeps other fields") { broken in
      broken.creating = { fields in fields["price"] = Number("1.10").map { .number($0) } }
      broken.updating = { _, changes, _ in changes.append(.set("price", Number("1.1").map { .number($0) } ?? .null)) }
    },
    Fault("answers success for a change of a missing record", "update missing record") { broken in
      broken.failing = { error, operation in operation != "update" || error.code != .notFound }
    },
    Fault("deletes nothing and says it did", "deleted records are gone") { broken in
      broken.deleting = { deletion in deletion = .one("1999999999") }
      broken.failing = { error, operation in operation != "delete" }
    },
    Fault("answers success for a deletion of a missing record", "delete missing record") { broken in
      broken.failing = { error, operation in operation != "delete" || error.code != .notFound }
    },
    Fault("deletes the neighbour", "delete targets one record") { broken in
      broken.deleting = { deletion in
        if case .one(let id) = deletion, let number = Int(id.text) { deletion = .one(RecordID("\(number - 1)")) }
      }
    },
    Fault("deletes twice to be sure", "delete targets one record") { broken in
      broken.before = { [exchange = broken.exchange] operation throws(BackendError) in
        if operation == "delete" {
          _ = try await exchange.send(HTTPRequest("DELETE", try RequestPath("notes", "0"), effect: .repeatableWrite))
        }
      }
    },
    Fault("calls a cancelled call a time-out", "cancelled at first request") { broken in
      broken.failing = { error, _ in
        if error.code == .cancelled { error.code = .timedOut }
        return true
      }
    },
    Fault("hangs on cancel", "cancelled at first request", hangs: true) { broken in
      broken.failing = { error, _ in error.code != .cancelled }
      broken.before = { operation in
        if operation == "list" { await Task { try? await Task.sleep(for: .seconds(3_600)) }.value }
      }
    },
  ]

  static let errors: [Fault] = [
    code("takes 401 for a broken answer", "read returns 401", .unauthorized),
    code("takes 403 for a broken answer", "read returns 403", .forbidden),
    code("takes 429 for a broken answer", "read returns 429", .rateLimited),
    code("takes 503 for a broken answer", "read returns 503", .unavailable),
    Fault("takes 500 for a missing record", "read returns 500") { broken in
      broken.failing = { error, _ in
        if error.code == .unavailable { error.code = .notFound }
        return true
      }
    },
    Fault("takes refused data for a conflict", "create returns 400 or 422") { broken in
      broken.failing = { error, operation in
        if operation == "create", error.code == .invalid { error.code = .conflict }
        return true
      }
    },
    Fault("says that nothing was changed although nobody knows", "create returns 500") { broken in
      broken.failing = { error, operation in
        if operation == "create" { error.effect = .rejected }
        return true
      }
    },
    Fault("gives errors of the way another effect", "transport errors") { broken in
      broken.failing = { error, _ in
        if error.effect == .notSent { error.effect = .unknown }
        return true
      }
    },
    Fault("says nothing in its errors", "error message form") { broken in
      broken.failing = { error, _ in
        error.message = ""
        return true
      }
    },
    Fault("answers success for a redirect", "error message form") { broken in
      broken.failing = { error, _ in error.message != "the server returned 301" }
    },
  ]

  private static func code(_ name: String, _ law: String, _ code: BackendError.Code) -> Fault {
    Fault(name, law) { broken in
      broken.failing = { error, _ in
        if error.code == code { error.code = .badResponse }
        return true
      }
    }
  }
}
