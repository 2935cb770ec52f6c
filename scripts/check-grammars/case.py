"""One address, and what the other service answers."""
import collections

#: path: the address for Headroom. peer: that for the real service, or None. expected: status and size without a peer.
Case = collections.namedtuple("Case", "path peer expected", defaults=(None, None))
