/// The application's status report at its root.
enum GrailsHealth {
  static let response = DemoResponse(status: 200, type: GrailsAnswer.jsonType, text: json.compact())

  private static let json: DemoJSON = [
    "message": "Announcements of the intranet", "environment": "development", "appversion": "0.1",
    "grailsversion": "3.3.0", "appprofile": "rest-api", "groovyversion": "2.4.11", "jvmversion": "1.8.0_144",
    "reloadingagentenabled": true,
    "artefacts": ["controllers": 3, "domains": 1, "services": 1],
    "controllers": [
      ["name": "intranet.backend.v1.AnnouncementController"], ["name": "intranet.backend.v2.AnnouncementController"],
      ["name": "intranet.backend.ApplicationController"],
    ],
    "plugins": [["name": "core", "version": "3.3.0"], ["name": "viewsJson", "version": "1.2.3"]],
  ]
}
