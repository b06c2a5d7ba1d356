import { auditActions, type AuditAction } from '@batti/contracts'

type Split<Action> = Action extends `${infer Kind}.${infer Verb}` ? { kind: Kind; verb: Verb } : never
export type ActionKind = Split<AuditAction>['kind']
export type ActionVerb = Split<AuditAction>['verb']

/** Splits `<kind>.<verb>`. The types follow the closed list: an action without texts does not compile. */
export function actionParts(action: AuditAction): { kind: ActionKind; verb: ActionVerb } {
  const [kind, verb] = action.split('.')
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the two halves of a member of the closed list
  return { kind: kind as ActionKind, verb: verb as ActionVerb }
}

const kinds: ReadonlySet<string> = new Set(auditActions.map((action) => actionParts(action).kind))

/** Returns whether the kind is one that an action can have. */
export const isActionKind = (kind: string): kind is ActionKind => kinds.has(kind)
