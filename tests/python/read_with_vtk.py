"""read_with_vtk.py FOLDER: times and values of complete files, of six frames and of one, as a current VTK reads them."""

import os
import sys

import vtkhdf

vtkhdf.check(os.path.join(sys.argv[1], "six", "small.vtkhdf"), 6)
vtkhdf.check(os.path.join(sys.argv[1], "one", "small.vtkhdf"), 1)
