import BackendConformance
import BackendKit

extension Fault {
  static let updating: [Fault] =
    [
      Fault("cuts text that it updates", "update sets the values") { broken in
        broken.updating = Fault.changing { _, value in value.text.map { .string(String($0.dropLast())) } ?? value }
      },
      Fault("shows another record in the receipt of an update", "update receipt as stored") { broken in
        broken.receipt = { receipt, operation in if operation == "update" { receipt.record?.fields["done"] = "?" } }
      },
      Fault("tells another identifier in the receipt of an update", "update receipt as stored") { broken in
        broken.receipt = { receipt, operation in if operation == "update" { receipt.id = "1" } }
      },
      Fault("swaps null and missing in what it does not change", "update keeps other fields") { broken in
        broken.got = { record, _ in if record.fields["body"] == "two things" { record.fields["done"] = nil } }
      },
      Fault("sends back no field that it does not know", "update keeps other fields", on: .open) { broken in
        broken.updating = { _, changes, _ in changes.append(.unset("switchboardProbe")) }
      },
      Fault("does only the first of several changes", "update sets the values") { broken in
        broken.updating = { _, changes, _ in changes = Array(changes.prefix(1)) }
      },
      Fault("does the first of two changes of a field", "last change wins") { broken in
        broken.updating = { _, changes, _ in changes.reverse() }
      },
      Fault("refuses in an update what a new record takes", "update accepts created values") { broken in
        broken.over { request, inner throws(BackendError) in
          let body = request.body.map { String(decoding: $0, as: UTF8.self) } ?? ""
          guard request.method == "PATCH", body.contains(":\" a") else { return try await inner.send(request) }
          throw BackendError(.invalid, "white space is refused", effect: .rejected)
        }
      },
      Fault("writes in small letters what it updates", "update accepts created values") { broken in
        broken.updating = Fault.changing { _, value in value.text.map { .string($0.lowercased()) } ?? value }
      },
      Fault("trims the text with the mark that it updates", "update accepts created values") { broken in
        broken.updating = Fault.changing { field, value in
          guard field == "title", var text = value.text else { return value }
          while text.hasSuffix(" ") { text.removeLast() }
          return .string(text)
        }
      },
      Fault("writes where there is nothing to write", "update without change") { broken in
        broken.updating = { _, changes, _ in if changes.isEmpty { changes = [.set("body", "seen")] } }
      },
      Fault("updates the neighbour too", "update leaves other records unchanged") { broken in
        let id = Kept("")
        broken.updating = { updated, _, _ in id.value = Fault.neighbour(of: updated) }
        broken.before = { [exchange = broken.exchange] operation throws(BackendError) in
          if operation == "update" { try await exchange.patch(id.value, ["body": "both"]) }
        }
      },
      Fault("updates a record of others too", "update leaves other records unchanged") { broken in
        let text = Kept(Value.null)
        broken.updating = { _, changes, _ in if case .set("body", let value)? = changes.first { text.value = value } }
        broken.before = { [exchange = broken.exchange] operation throws(BackendError) in
          if operation == "update" { try await exchange.patch("1", ["body": text.value]) }
        }
      },
    ] + clearing + refusedUpdates

  private static let clearing: [Fault] = [
    Fault("does not clear what it is to clear", "unset removes the value") { broken in
      broken.updating = { _, changes, _ in changes.removeAll { if case .unset = $0 { true } else { false } } }
    },
    Fault("does not clear a field beside one that it sets", "unset removes the value") { broken in
      broken.updating = { _, changes, _ in
        if changes.count > 1 { changes.removeAll { if case .unset = $0 { true } else { false } } }
      }
    },
    Fault("has the server refuse to clear a text", "unset removes the value") { broken in
      let isCleared = Kept(false)
      broken.updating = { _, changes, _ in isCleared.value = changes == [.unset("body")] }
      broken.before = { operation throws(BackendError) in
        guard operation == "update", isCleared.value else { return }
        throw BackendError(.invalid, "a body cannot be null", effect: .rejected)
      }
    },
    Fault("does not clear a field whose values are listed", "unset removes the value", on: .listing) { broken in
      broken.updating = { _, changes, _ in changes.removeAll { $0 == .unset("status") } }
    },
    Fault("clears all fields where it is to clear one", "unset removes the value") { broken in
      broken.updating = { _, changes, _ in
        if case .unset? = changes.first { changes = ["body", "done", "price"].map { .unset($0) } }
      }
    },
    Fault("takes null for nothing", "set to null") { broken in
      broken.updating = { _, changes, _ in
        changes = changes.map { if case .set(let field, .null) = $0 { .unset(field) } else { $0 } }
      }
    },
    Fault("takes an empty text for null", "set to empty string") { broken in
      broken.updating = Fault.changing { _, value in value == "" ? .null : value }
    },
  ]

  private static let refusedUpdates: [Fault] = [
    Fault("makes the record that it was to update", "update missing record") { broken in
      let (id, text) = (Kept(0), Kept(Value.null))
      broken.updating = { updated, changes, _ in
        id.value = Int(updated.text) ?? 0
        if case .set(_, let value)? = changes.first { text.value = value }
      }
      broken.before = { [exchange = broken.exchange] operation throws(BackendError) in
        guard operation == "update", id.value > 1_000_000 else { return }
        try await exchange.post(Object([("title", text.value), ("priority", 1)]))
      }
    },
    Fault("says of the identifier that it was cleared", "identifier cannot change") { broken in
      broken.updating = { _, changes, _ in changes = changes.map { $0 == .unset("id") ? .set("done", true) : $0 } }
    },
    Fault("gives a record a second identifier", "identifier cannot change") { broken in
      let isRenamed = Kept(false)
      broken.updating = { _, changes, _ in
        isRenamed.value = isRenamed.value || changes.contains { $0.field == "id" }
        changes.removeAll { $0.field == "id" }
      }
      broken.failing = { _, operation in operation != "get" || !isRenamed.value }
    },
    Fault("does the first half of an update that it refuses", "refused update changes nothing", on: .limited) {
      broken in
      let (id, half) = (Kept(""), Kept([String: Value]()))
      broken.updating = { updated, changes, _ in
        id.value = updated.text
        if case .set(let field, let value)? = changes.first, changes.count > 1 { half.value = [field: value] }
      }
      broken.before = { [exchange = broken.exchange] operation throws(BackendError) in
        if operation == "update" { try await exchange.patch(id.value, half.value) }
      }
    },
    Fault("shows the record as it was before an action", "action on a record", on: .closable) { broken in
      broken.receipt = { receipt, operation in if operation == "act" { receipt.record?.fields["body"] = "open" } }
    },
    Fault("tells of another record than the one acted on", "action on a record", on: .closable) { broken in
      broken.receipt = { receipt, operation in if operation == "act" { receipt.id = "1" } }
    },
    Fault("ignores the revision that is insisted on", "stale revision", on: .revised) { broken in
      broken.updating = { _, _, revision in revision = nil }
    },
    Fault("takes every revision for a stale one", "current revision", on: .revised) { broken in
      broken.updating = { _, _, revision in if revision != nil { revision = "0" } }
    },
    Fault("ignores the revision that a deletion insists on", "deletion at a revision", on: .revised) { broken in
      broken.insisting = { revision in revision = nil }
    },
  ]

  /// A change of every value that an update sets.
  static func changing(
    _ change: @escaping @Sendable (String, Value) -> Value
  ) -> @Sendable (inout RecordID, inout [Change], inout String?) -> Void {
    { _, changes, _ in
      changes = changes.map {
        if case .set(let field, let value) = $0 { .set(field, change(field, value)) } else { $0 }
      }
    }
  }

  /// The identifier after a record's.
  static func neighbour(of id: RecordID) -> String { Int(id.text).map { String($0 + 1) } ?? id.text }
}
