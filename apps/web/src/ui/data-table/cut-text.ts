/**
 * Cuts text with an ellipsis: in a row of the table after one line, on a card after two, because a touch screen cannot
 * show a title. A card is a CSS container; a row of the table is in none.
 */
export const cutText = 'truncate @min-[1px]:line-clamp-2 @min-[1px]:whitespace-normal @min-[1px]:wrap-anywhere'
