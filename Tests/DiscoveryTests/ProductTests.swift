import BackendKit
import ConsoleSupport
import Testing

/// Services of products that have a preset: `add` knows them by what they show, and takes no other service for one.
@Suite("Known products") struct ProductTests {
  /// A product, and what an operator does with it.
  struct Product: Sendable, CustomTestStringConvertible {
    let name: String
    /// The path of its API.
    let path: String
    /// A line of a command, and what it prints.
    let read: (line: String, shown: String)
    /// A write that the service refuses, and what of its response is shown.
    let refused: (line: String, shown: String)
    var testDescription: String { name }
  }

  static let products = [
    Product(
      name: "netbox", path: "api/", read: ("count it/sites", "12\n"),
      refused: ("create it/sites name=x slug=y --new-fields", "This field is required.")),
    Product(
      name: "nautobot", path: "api/", read: ("get it/devices 3 --fields name -o tsv --no-header", "name 3\n"),
      refused: ("create it/devices name=x role=1 status=1 device_type=1 location=1", "This field is required.")),
    Product(
      name: "gitlab", path: "api/v4", read: ("list it/projects --page 2 --per-page 5 -o id", "6\n7\n8\n9\n10\n"),
      refused: ("create it/projects name=x", "can't be blank")),
    Product(
      name: "grafana", path: "api", read: ("count it/folders", "12\n"),
      refused: ("create it/folders title=x", "folder title cannot be empty")),
    Product(
      name: "keycloak", path: "admin/realms/desk",
      read: ("get it/users 2 --fields name -o tsv --no-header", "name 2\n"),
      refused: ("create it/users username=x", "User name is missing")),
    Product(
      name: "airflow", path: "api/v2", read: ("count it/variables", "12\n"),
      refused: ("create it/variables key=x value=y", "Field required")),
    Product(
      name: "prefect", path: "api", read: ("list it/flows -o id --limit 2", "1\n2\n"),
      refused: ("create it/flows name=x", "Flow already exists")),
    Product(
      name: "proxmox", path: "api2/json", read: ("count it/users", "12\n"),
      refused: ("create it/users userid=x@pve", "property is missing")),
    Product(
      name: "docker", path: "v1.41", read: ("count it/networks", "12\n"),
      refused: ("create it/networks Name=x", "network with name a already exists")),
    Product(
      name: "powerdns", path: "api/v1/servers/localhost", read: ("count it/zones", "12\n"),
      refused: ("create it/zones name=x. kind=Native", "Domain is not canonical")),
    Product(
      name: "rabbitmq", path: "api", read: ("count it/vhosts", "12\n"),
      refused: ("create it/vhosts name=x", "the name is not allowed")),
    Product(
      name: "vault", path: "v1", read: ("count it/mounts", "12\n"),
      refused: ("create it/mounts path=x type=kv", "existing mount at a/")),
  ]

  private func preset(_ run: ConsoleRun) throws -> Value? {
    try run.claims.first { $0["fact"]?.text == "preset" }?["value"]
  }

  @Test("a product is known, and its preset is written", arguments: products)
  func known(_ product: Product) async throws {
    let server = try await StyleServer("products")
    let run = try await server.add("\(product.name)/\(product.path) it", "--yes -o json")
    #expect(run.status == 0, "\(run.errors)")
    #expect(try preset(run) == .string(product.name), "\(run.output)\(run.errors)")
    let written = try server.description("it")
    #expect(written.contains("\npreset: \(product.name)\n") && written.contains("\n  date: "), "\(written)")
    let read = try await server.run(product.read.line)
    #expect(read.output.contains(product.read.shown), "\(read.output)\(read.errors)\(run.errors)")
    let refused = try await server.run(product.refused.line)
    #expect(refused.status != 0 && refused.errors.contains(product.refused.shown), "\(refused.errors)")
  }

  @Test(
    "a service that shows all but one sign of a product is not taken for it",
    arguments: products, [0, 1])
  func resembling(_ product: Product, _ missing: Int) async throws {
    let server = try await StyleServer("products")
    let run = try await server.add(
      "\(product.name)-without-\(missing)/\(product.path) it", "--yes -o json --max-requests 120")
    #expect(!run.output.contains("\"\(product.name)\""), "\(run.output)")
    #expect(!run.errors.contains("recognized as"), "\(run.errors)")
  }

  @Test(
    "a product is known by the address of its server alone",
    arguments: ["netbox", "gitlab", "grafana", "airflow", "prefect", "docker", "powerdns", "rabbitmq", "vault"])
  func root(_ name: String) async throws {
    let server = try await StyleServer("products", [name])
    let run = try await server.add("", "it --yes -o json")
    #expect(try preset(run) == .string(name), "\(run.output)\(run.errors)")
  }

  @Test
  func `what an installation does not have is left out, and --no-preset looks at the service itself`() async throws {
    let server = try await StyleServer("products")
    let run = try await server.add("netbox/api/ it")
    #expect(run.errors.contains("recognized as NetBox"), "\(run.errors)")
    #expect(run.errors.contains("left out"), "\(run.errors)")
    let written = try server.description("it")
    #expect(written.contains("  version: \"4.6.8\"\n") && written.contains("  devices: null\n"), "\(written)")
    let described = try await server.run("describe it")
    #expect(described.output.contains("sites") && !described.output.contains("devices"), "\(described.output)")
    let plain = try await server.add("netbox/api/ itself", "--yes --no-preset -o json")
    #expect(try preset(plain) == "django-rest", "\(plain.output)")
  }

  @Test func `the question names what will be read, and nothing of it is sent before`() async throws {
    let server = try await StyleServer("products")
    let shown = try await server.type("add \(server.address)/gitlab/api/v4 it", "n")
    #expect(shown.contains("GET /gitlab/api/v4/projects"), "\(shown)")
    #expect(try server.log() == ["GET /gitlab/api/v4", "GET /gitlab/api/v4/metadata"])
  }
}
