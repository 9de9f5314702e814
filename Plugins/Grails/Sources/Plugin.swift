import BackendKit
