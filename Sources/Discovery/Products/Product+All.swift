import BackendKit

extension Product {
  /// The products that `add` knows, each by what its releases show.
  static let all = [
    Product(
      "netbox", at: .end("/api"), isShownAtRoot: true, Sign("", ["circuits", "dcim", "extras", "ipam", "tenancy"]),
      Sign("status/", ["netbox-version", "django-version"], version: "netbox-version")),
    Product(
      "nautobot", at: .end("/api"), isShownAtRoot: true, Sign("", ["circuits", "dcim", "extras", "ipam", "tenancy"]),
      Sign("status/", ["nautobot-version", "django-version"], version: "nautobot-version")),
    Product(
      "gitlab", at: .end("/api/v4"), metadata("X-Gitlab-Meta") { _, answer in answer.header("X-Gitlab-Meta") != nil },
      // Without a token it refuses, in words of its own.
      metadata("version and revision") { object, answer in
        answer.isSuccess && object["version"]?.text != nil && object["revision"]?.text != nil
          || answer.status == 401 && object["message"] == "401 Unauthorized"
      }),
    Product(
      "grafana", at: .end("/api"), Sign("health", ["database", "version", "commit"], version: "version"),
      Sign(at: { $0 + "/org" }, "the organization") { answer, _ in
        let object = answer.document?.object
        let isShown = answer.isSuccess && object?["name"]?.text != nil && object?["address"]?.object != nil
        return isShown || answer.status == 403 && object?["accessErrorId"]?.text != nil
      }),
    Product(
      "keycloak", at: .pattern("/admin/realms/*", usual: nil), isShownAtRoot: true,
      Sign(at: { $0 }, "the realm") { answer, base in
        answer.document?.object?["realm"]?.text == Candidates.last(base)
      },
      Sign(at: publicRealm, "realm, public_key and token-service") { answer, base in
        let object = answer.document?.object
        return answer.isSuccess && object?["realm"]?.text == Candidates.last(base)
          && ["public_key", "token-service", "account-service"].allSatisfy { object?[$0]?.text != nil }
      }),
    Product(
      "airflow", at: .end("/api/v2"), Sign("version", ["version", "git_version"], version: "version"),
      Sign("monitor/health", ["metadatabase", "scheduler", "triggerer"])),
    Product(
      "prefect", at: .end("/api"),
      Sign(at: { $0 + "/hello" }, "👋") { answer, _ in answer.isSuccess && answer.document == "👋" },
      Sign(at: { $0 + "/admin/version" }, "a version", version: []) { answer, _ in
        answer.isSuccess && answer.document?.text?.first?.isNumber == true
      }),
    Product(
      "proxmox", at: .end("/api2/json"), isShownAtRoot: true,
      Sign(at: { $0 }, "cluster, nodes, pools and storage") { answer, _ in
        let names = answer.document?.object?["data"]?.array?.compactMap { $0.object?["subdir"]?.text } ?? []
        return answer.isSuccess && ["cluster", "nodes", "pools", "storage"].allSatisfy(names.contains)
      },
      Sign("version", ["version", "release", "repoid"], in: "data", version: "version")),
    Product("docker", at: .end(""), dockerVersion, dockerPing),
    Product("docker", at: .pattern("/v1.*", usual: nil), dockerVersion, dockerPing),
    Product(
      "powerdns", at: .pattern("/api/v1/servers/*", usual: "/api/v1/servers/localhost"), isShownAtRoot: true,
      Sign(at: { $0 }, "daemon_type: authoritative", version: ["version"]) { answer, _ in
        answer.isSuccess && answer.document?.object?["daemon_type"] == "authoritative"
          && answer.document?.object?["zones_url"] != nil
      },
      Sign(at: { $0 + "/config" }, "settings") { answer, _ in
        answer.isSuccess && answer.document?.array?.first?.object?["type"] == "ConfigSetting"
      }),
    Product(
      "rabbitmq", at: .end("/api"),
      Sign("overview", ["rabbitmq_version", "management_version"], version: "rabbitmq_version"),
      Sign("whoami", ["name", "tags"])),
    Product(
      "vault", at: .end("/v1"),
      Sign("sys/health", ["initialized", "sealed", "replication_dr_mode", "server_time_utc"]),
      Sign("sys/seal-status", ["type", "sealed", "t", "n", "progress"], version: "version")),
  ]

  private static let dockerVersion = Sign(
    "version", ["ApiVersion", "MinAPIVersion", "Os", "Arch"], version: "Version")
  private static let dockerPing = Sign(at: { $0 + "/_ping" }, "Api-Version and Docker-Experimental") { answer, _ in
    answer.isSuccess && answer.header("Api-Version") != nil && answer.header("Docker-Experimental") != nil
  }

  /// A sign in the metadata of a GitLab.
  private static func metadata(
    _ name: String, _ isShown: @escaping @Sendable (Object, ProbeResponse) -> Bool
  ) -> Sign {
    Sign(at: { $0 + "/metadata" }, name, version: ["version"]) { answer, _ in
      isShown(answer.document?.object ?? Object(), answer)
    }
  }

  /// The path at which a realm shows itself to everybody.
  private static let publicRealm: @Sendable (String) -> String = { base in
    base.replacing(text: "/admin/realms/", with: "/realms/")
  }
}
