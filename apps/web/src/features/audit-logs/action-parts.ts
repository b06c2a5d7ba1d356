import { auditActions, type AuditAction } from '@batti/contracts'

type Split<Action> = Action extends `${infer Kind}.${infer Verb}` ? { kind: Kind; verb: Verb } : never
export type ActionKind = Split<AuditAction>['kind']
export type ActionVerb = Split<AuditAction>['verb']

/** `<kind>.<verb>`. The types follow the closed list: an action without words does not compile. */
export function actionParts(action: AuditAction): { kind: ActionKind; verb: ActionVerb } {
  const [kind, verb] = action.split('.')
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the two halves of a member of the closed list
  return { kind: kind as ActionKind, verb: verb as ActionVerb }
}

const kinds: ReadonlySet<string> = new Set(auditActions.map((action) => actionParts(action).kind))

/** Whether something of this kind can be the subject of an action. */
export const isActionKind = (kind: string): kind is ActionKind => kinds.has(kind)
