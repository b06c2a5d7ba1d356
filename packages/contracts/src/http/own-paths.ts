/** Calls outside the api base: for load balancers, Prometheus, and people who try the demo. */
export const healthPath = '/healthz'
export const readyPath = '/readyz'
export const metricsPath = '/metrics'
export const outboxPath = '/dev/outbox'
/** The same messages on the internal address, for whoever knows its secret: `GET`, bearer, JSON. */
export const internalOutboxPath = '/internal/outbox'
/** What the demo's switches did before: `POST`, bearer, JSON; only where there is an outbox. */
export const internalHistoryPath = '/internal/demo-history'

/**
 * Of each account of `{ emails }` a mark of its password, which changes when that does: `POST`, bearer, JSON; not in
 * production. Answers `{ marks: { [email]: mark } }`.
 */
export const internalPasswordMarksPath = '/internal/password-marks'

/** Where the broker asks who a board is. */
export const mqttAuthPath = '/internal/mqtt/auth'
/**
 * Several questions in one request, for our own broker: boards come back by the hundred. The answers stand in the order of
 * the questions; `ignore` says that one could not be checked. Beside EMQX's shapes: ADR 10.
 */
export const mqttAuthBatchPath = '/internal/mqtt/auth-batch'
