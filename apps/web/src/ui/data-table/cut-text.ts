/**
 * Cuts text with an ellipsis: in a row of the table after one line, on a card after three, because a touch screen cannot
 * show a title.
 */
export const cutText =
  'truncate @min-[1px]/card:line-clamp-3 @min-[1px]/card:whitespace-normal @min-[1px]/card:wrap-anywhere'
