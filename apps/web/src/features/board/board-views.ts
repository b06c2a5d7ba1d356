/** Queries affected by a change of a board besides the lists: its own page. */
export const boardViews = [['device']] as const
