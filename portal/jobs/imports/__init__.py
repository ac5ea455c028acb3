"""Imports of what an account has by name, such as its devices: one declaration for each.

class RoomImport(ResourceImport): ...  # the job type, which the `DOMAIN` lists

urlpatterns = [..., *import_paths("rooms/", RoomImport)]  # its pages
"""
