/** Paths outside the api base, for load balancers, Prometheus, and people who try the demo. */
export const healthPath = '/healthz'
export const readyPath = '/readyz'
export const metricsPath = '/metrics'
export const outboxPath = '/dev/outbox'
/** The same messages on the internal address: `GET`, JSON, with the internal secret as bearer token. */
export const internalOutboxPath = '/internal/outbox'
/** Writes an earlier history of the demo's switches: `POST`, bearer, JSON; only where there is an outbox. */
export const internalHistoryPath = '/internal/demo-history'

/**
 * Returns a mark for each account of `{ emails }` that changes whenever its password does: `POST`, bearer, JSON; not in
 * production. Answers `{ marks: { [email]: mark } }`.
 */
export const internalPasswordMarksPath = '/internal/password-marks'

/** Authenticates a board for the broker. */
export const mqttAuthPath = '/internal/mqtt/auth'
/**
 * Several questions in one request, for our own broker, because boards reconnect by the hundred. Answers come in the order
 * of the questions; `ignore` means that one could not be checked. An addition to EMQX's shapes: ADR 10.
 */
export const mqttAuthBatchPath = '/internal/mqtt/auth-batch'
