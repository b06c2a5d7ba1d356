/** What a change of a board shows in beside the lists: its own page. */
export const boardViews = [['device']] as const
