// A header whose first comment is far longer than it should be, as it goes on over the end of the line and over the
// end of the next one, too, without a full stop, and says so little in so many words that nobody reads it.
int a; ///< a leaf
int b; ///< two lines of a trailing comment: the sequential
       ///< clone
/* A block comment
 * names a leaf, too. */
