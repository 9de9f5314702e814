import BackendConformance
import BackendKit

/// Options that are not what the plugin says of them.
extension Fault {
  static let options: [Fault] = [
    deaf("a number", "pageSize"), deaf("a choice", "update"), deaf("text", "resource"), deaf("a truth", "isOpen"),
    Fault("has another default than it tells", "option defaults") { plugin in
      plugin.make = { options throws(BackendError) in
        var options = options
        if options["pageSize"] == nil { options["pageSize"] = 5 }
        return try ReferencePlugin.resource(options)
      }
    },
    Fault("logs in by a request that reads", "login request methods") {
      $0.login = ReferencePlugin.scheme(login: "GET")
    },
    Fault("logs out by a request that reads", "login request methods") {
      $0.login = ReferencePlugin.scheme(logout: "GET")
    },
    Fault("asks who is logged in by a request that writes", "login request methods") {
      $0.login = ReferencePlugin.scheme(identity: "DELETE")
    },
    refusing("refuses its options as if they were a record", BackendError.Code.invalid, .notSent),
    refusing("refuses its options as if it had asked the server", .misconfigured, .rejected),
  ]

  private static func deaf(_ kind: String, _ name: String) -> Fault {
    Fault("does not hear an option that is \(kind)", "options have an effect") { plugin in
      plugin.make = { options throws(BackendError) in
        var options = options
        options[name] = nil
        return try ReferencePlugin.resource(options)
      }
    }
  }

  private static func refusing(_ name: String, _ code: BackendError.Code, _ effect: BackendError.Effect) -> Fault {
    Fault(name, "invalid options refused") { plugin in
      plugin.make = { options throws(BackendError) in
        do throws(BackendError) { return try ReferencePlugin.resource(options) } catch {
          throw BackendError(code, error.message, effect: effect)
        }
      }
    }
  }
}
