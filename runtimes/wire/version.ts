// Version of the traffic between host and sandbox process. Any change of a message's shape renews it; a process that
// reports another version is not used.
export const WIRE_VERSION = 1
