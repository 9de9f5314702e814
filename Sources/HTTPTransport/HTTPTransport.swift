import AsyncHTTPClient
import NIOCore
let unusedClient: HTTPClient? = nil
