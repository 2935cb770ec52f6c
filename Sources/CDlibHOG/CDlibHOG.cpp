#include "CDlibHOG.h"
